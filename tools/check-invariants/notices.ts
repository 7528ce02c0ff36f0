import { type Figures, type Invariant, nothingOf, of, scoring } from './figures.ts';

const social = (text: string): Figures => ({ service: 'social', text });
const nothing = nothingOf('social');
const items = `notices n join notice_items i on i.org_id = n.org_id and i.notice_id = n.notice_id and not i.is_withdrawn`;
const each = (from: string, where: string): Figures =>
  social(`select concat_ws('/', n.org_id, n.notice_id) id, count(*) sum from ${from} where ${where} group by 1`);
const isOf = (...kinds: string[]) => `n.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const unless = (sql: string) => `not exists (select from ${sql})`;

/** Notices that nobody has been told of yet. */
export const unpublishedNotices = `select 'notices', count(*) from notices where is_unpublished having count(*) > 0`;

/** Nobody is notified of what has not happened, of their own doing, or after they have left. */
export const noticeInvariants: readonly Invariant[] = [
  {
    name: 'I13 every notice of a reaction has its fact',
    truth: nothing,
    claim: each(
      items,
      `${isOf('reaction')} and ${unless(`es.events e where e.org_id = n.org_id
        and e.stream_id = 'reactions-' || n.subject || '.' || i.actor_id`)}`,
    ),
  },
  {
    name: 'I13 every notice of a ballot, a checkpoint or a team has its fact',
    truth: nothing,
    claim: each(
      items,
      `${isOf('ballot-opened', 'ballot-ending', 'ballot-decided')}
         and ${unless('ballots b where b.org_id = n.org_id and b.ballot_id::text = n.subject')}
       or ${isOf('checkpoint')} and ${unless(`checkpoint_entries c where c.org_id = n.org_id
         and c.journey_id || ' ' || c.team_id = n.subject and c.checkpoint_name = i.facts ->> 'title'`)}
       or ${isOf('team-changed')} and ${unless('teams t where t.org_id = n.org_id and t.team_id::text = n.subject')}`,
    ),
  },
  {
    name: 'I13 every notice of a follower has its fact',
    isPart: true,
    truth: of('identity', `select concat_ws('/', org_id, followee_id, follower_id) id, 1 sum from follows`),
    claim: social(`select concat_ws('/', n.org_id, n.user_id, i.actor_id) id, 1 sum from ${items}
      join members m on m.org_id = n.org_id and m.user_id = i.actor_id and not m.is_erased
      where ${isOf('follower')} group by 1`),
  },
  {
    name: 'I13 every notice of a badge has its fact',
    isPart: true,
    truth: scoring(`select concat_ws('/', org_id, user_id, badge_id) id, 1 sum from member_badges`),
    claim: social(`select concat_ws('/', n.org_id, n.user_id, i.facts ->> 'badgeId') id, 1 sum from ${items}
      where ${isOf('badge')} group by 1`),
  },
  {
    name: 'I13 every notice of a recap has its fact',
    truth: nothing,
    claim: each(
      items,
      `${isOf('recap-ready')}
         and ${unless('weekly_recaps w where w.org_id = n.org_id and w.recap_id::text = n.subject')}`,
    ),
  },
  {
    name: 'I13 nobody is notified of their own doing',
    truth: nothing,
    claim: each(items, 'i.actor_id = n.user_id'),
  },
  {
    name: 'I13 whoever is erased is notified of nothing',
    truth: nothing,
    claim: each('notices n join members m on m.org_id = n.org_id and m.user_id = n.user_id', 'm.is_erased'),
  },
  {
    name: 'I13 a notice tells something, and one thing once',
    truth: nothing,
    claim: each(
      'notices n',
      'not exists (select from notice_items i where i.org_id = n.org_id and i.notice_id = n.notice_id)',
    ),
  },
];
