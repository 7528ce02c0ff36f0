import type { PersonUnit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { currentContext } from '@caravan/service-kit/request-context';
import type { LoggingMember } from './log-request.ts';

const retryAfterSeconds = 1;

/**
 * The member who logs, with the sum of their logs, which nobody else changes until the unit ends. Throws `Rejected`
 * unavailable while this service has not heard of the member, or of the member's latest change: a log counts for the
 * team of that moment for ever, so a guess would be worse than another try.
 */
export async function loggingMember({ tx, meta }: PersonUnit): Promise<LoggingMember> {
  if (currentContext()?.isStale) throw notYet();
  const { rows } = await tx.query<LoggingMember>(
    'select team_id as "teamId", time_zone as "timeZone", centimiles from logging_member($1, $2)',
    [meta.orgId, meta.key.id],
  );
  const [member] = rows;
  if (!member) throw notYet();
  return member;
}

function notYet(): Rejected {
  return new Rejected(
    'movement/member-not-ready',
    'unavailable',
    'Your membership is still being set up. Please try again.',
    {
      retryAfterSeconds,
    },
  );
}
