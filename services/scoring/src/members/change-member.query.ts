import type { Tx } from '@caravan/event-store/event-store';

/**
 * Changes a member's row and moves the teams' counts of active members along with what really changed, so that the same
 * fact again counts nobody twice. `set` is SQL of the row `m`; its values follow organisation and member as $3 and on.
 */
export async function changeMember(
  tx: Tx,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.query(
    `with before as (
       select org_id, user_id, team_id, is_active from members where org_id = $1 and user_id = $2 for update
     ), after as (
       update members m set ${set} from before b where m.org_id = b.org_id and m.user_id = b.user_id
       returning m.team_id, m.is_active
     ), moved as (
       select team_id, sum(n) as n from (
         select team_id, 1 as n from after where is_active union all select team_id, -1 from before where is_active
       ) counts group by team_id having sum(n) <> 0
     )
     update teams t set member_count = member_count + moved.n from moved
     where t.org_id = $1 and t.team_id = moved.team_id`,
    [orgId, userId, ...values],
  );
}
