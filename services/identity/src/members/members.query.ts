import type { ManagedMember, MembersQuery } from '@caravan/contracts/http/organisations';
import { milesOf } from '@caravan/contracts/miles';
import type { Tx } from '@caravan/event-store/event-store';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Rejected } from '@caravan/event-store/rejected';
import { cutPage } from '@caravan/service-kit/page';
import type { Pool } from '@caravan/service-kit/pool';
import { type MemberStatement, membersPage, oneMember, cursorValueOf } from './member-list.ts';

type MemberRow = Omit<ManagedMember, 'team' | 'joinedAt' | 'totalMiles'> & {
  readonly joinedAt: Date;
  readonly totalCentimiles: number;
  readonly teamId: string;
  readonly teamName: string;
  readonly teamEmoji: string;
  readonly sortKey: string | number | Date;
};

/** A page of an organisation's members, and the cursor of the next. Throws `Rejected` for a cursor that is none. */
export async function membersOf(
  pool: Pool,
  orgId: string,
  query: MembersQuery,
): Promise<{ members: ManagedMember[]; nextCursor: string | undefined }> {
  const statement = membersPage(orgId, query);
  if (!statement) return { members: [], nextCursor: undefined };
  const { text, values }: MemberStatement = statement;
  const { rows } = await tenantQuery<MemberRow>(pool, orgId, text, values);
  const page = cutPage(rows, query.limit, ({ sortKey, id }) => [query.sort, cursorValueOf(sortKey), id]);
  return { members: page.rows.map(shown), nextCursor: page.nextCursor };
}

export async function memberOf(tx: Tx, orgId: string, userId: string): Promise<ManagedMember> {
  const { rows } = await tx.query<MemberRow>(oneMember, [orgId, userId]);
  const [row] = rows;
  if (!row) throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
  return shown(row);
}

function shown(row: MemberRow): ManagedMember {
  const { id, name, email, role, isActive, isEmailConfirmed, lastActivityDate } = row;
  const { teamId, teamName, teamEmoji } = row;
  return {
    ...{ id, name, email, role, isActive, isEmailConfirmed, lastActivityDate },
    team: { id: teamId, name: teamName, emoji: teamEmoji },
    totalMiles: milesOf(row.totalCentimiles),
    joinedAt: row.joinedAt.toISOString(),
  };
}
