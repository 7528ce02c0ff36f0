import type { Unit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { currentContext } from '@caravan/service-kit/request-context';
import type { LoggingMember } from './log-request.ts';

const retryAfterSeconds = 1;

/**
 * The member who logs, with the sum of their logs, which nobody else changes until the unit ends. Throws `Rejected`
 * unavailable while this service has not heard of the member, or of the member's latest change: a log counts for the
 * team of that moment for ever, so a guess would be worse than another try.
 */
export async function loggingMember({ tx, meta }: Unit): Promise<LoggingMember> {
  if (currentContext()?.isStale) throw notYet();
  // Two statements of one round trip: the sum is read after the member's writers have been waited for.
  const [, { rows }] = await Promise.all([
    tx.query('select es.lock_keys($1)', [[meta.key]]),
    tx.query<LoggingMember>(
      `select m.team_id as "teamId", m.time_zone as "timeZone", coalesce(s.centimiles, 0) as centimiles
       from members m left join member_miles s on s.org_id = m.org_id and s.user_id = m.user_id
       where m.org_id = $1 and m.user_id = $2`,
      [meta.orgId, meta.key],
    ),
  ]);
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
