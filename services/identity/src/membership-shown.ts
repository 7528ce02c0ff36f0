import type { Caller } from '@caravan/auth/claims';
import { organisationKey } from '@caravan/contracts/fact-key';
import type { LogPosition } from '@caravan/contracts/log-position';
import { noteShown } from '@caravan/service-kit/request-context';

/**
 * Position of the latest fact about the membership `m` that a log depends on, as SQL: the team that it counts for, and
 * the time zone of its day.
 */
export const membershipPositionSql = `
  (select json_build_object('epoch', es.epoch_at(e.pos), 'position', e.pos) from es.events e where e.org_id = m.org_id and e.stream_id = 'membership-' || m.user_id
    and e.type in ('MemberJoined', 'MemberMoved', 'ProfileEdited') order by e.version desc limit 1)`;

/**
 * Whoever is shown their team earns for it with the very next log, also when an admin has just moved them and activity
 * has not heard of it yet (D2).
 */
export function noteMembershipShown({ orgId }: Caller, position: LogPosition | null): void {
  if (position !== null) noteShown('identity', { ...position, key: organisationKey(orgId) });
}
