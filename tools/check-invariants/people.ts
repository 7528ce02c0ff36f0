import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import { formerMemberName } from '@caravan/contracts/events/identity.events';
import type { ServiceName } from '@caravan/contracts/events/topics';
import { type Invariant, nothingOf, of } from './figures.ts';

const each = (table: string, where: string) =>
  `select org_id || '/' || user_id id, count(*) sum from ${table} where ${where} group by org_id, user_id`;
const byTeam = (table: string, sum: string) => `select org_id || '/' || team_id id, ${sum} sum from ${table}`;

const members = of('identity', each('memberships', 'true'));
const membersInTeams = of(
  'identity',
  `select concat_ws('/', org_id, user_id, team_id, is_active) id, 1 sum from memberships`,
);
const activeByTeam = of('identity', `${byTeam('memberships', 'count(*)')} where is_active group by org_id, team_id`);
const erased = of(
  'identity',
  `select org_id || '/' || (data ->> 'userId') id, count(*) sum from es.events where type = 'MemberErased' group by 1`,
);
const nothing = nothingOf('identity');
const typed = `activity_type not in (${[forgottenActivityName, ...productActivities].map((name) => `'${name}'`).join(', ')})`;
const isErased = (table: string) => `exists (
  select from members m where m.org_id = ${table}.org_id and m.user_id = ${table}.user_id and m.is_erased)`;

/** Everybody is known everywhere, counted once, and forgotten everywhere. */
export const peopleInvariants: readonly Invariant[] = [
  {
    name: 'I3 a roster counts the active members of its team',
    truth: activeByTeam,
    claim: of('identity', byTeam('team_rosters', 'active_members')),
  },
  {
    name: 'I3 a board counts the active members of each team',
    truth: activeByTeam,
    claim: of('scoring', byTeam('teams', 'member_count')),
  },
  {
    name: 'I3 boards list or leave out an erased member as before the erasure',
    truth: of(
      'identity',
      `select concat_ws('/', org_id, data ->> 'userId', (data ->> 'wasActive')::boolean) id, 1 sum
       from es.events where type = 'MemberErased'`,
    ),
    claim: of('scoring', `select concat_ws('/', org_id, user_id, was_active) id, 1 sum from members where is_erased`),
  },
  {
    name: 'I9 scoring knows every member and who is active in which team',
    truth: membersInTeams,
    claim: of(
      'scoring',
      `select concat_ws('/', org_id, user_id, team_id, is_active) id, 1 sum from members where not is_erased`,
    ),
  },
  {
    name: 'I9 social knows every member, who is active in which team, and nobody else',
    truth: membersInTeams,
    claim: of(
      'social',
      `select concat_ws('/', org_id, user_id, team_id, is_active) id, 1 sum from members where not is_erased`,
    ),
  },
  {
    name: 'I9 activity knows every member and nobody else',
    truth: members,
    claim: of('activity', each('members', 'true')),
  },
  {
    name: 'I12 scoring has forgotten whoever was erased',
    truth: erased,
    claim: of('scoring', each('members', 'is_erased')),
  },
  {
    name: 'I12 social has forgotten whoever was erased',
    truth: erased,
    claim: of('social', each('members', 'is_erased')),
  },
  ...['scoring', 'social'].map((service) => ({
    name: `I12 ${service} calls nobody erased by name`,
    truth: nothing,
    claim: of(
      service as ServiceName,
      each('members', `is_erased and (name <> '${formerMemberName}' or photo_url is not null)`),
    ),
  })),
  {
    name: 'I12 no post holds a word or photo of somebody erased',
    truth: nothing,
    claim: of(
      'social',
      each(
        'posts',
        `(num_nonnulls(caption, photo_path, heart_rate, calories) > 0 or ${typed}) and ${isErased('posts')}`,
      ),
    ),
  },
  {
    name: 'I12 no comment is kept of somebody erased, or below their posts, or below what is gone',
    truth: nothing,
    claim: of(
      'social',
      `select org_id || '/' || comment_id id, count(*) sum from comments k
       where exists (select from members m where m.org_id = k.org_id and m.is_erased and m.user_id in (k.author_id,
           (select p.user_id from posts p where p.org_id = k.org_id and p.log_id = k.entry_id)))
         or not exists (select from posts p where p.org_id = k.org_id and p.log_id = k.entry_id
           union all select from checkpoint_entries c where c.org_id = k.org_id and c.entry_id = k.entry_id)
       group by 1`,
    ),
  },
  {
    name: 'I12 no recent movement holds a word of somebody erased',
    truth: nothing,
    claim: of('scoring', each('credited_movements', `${typed} and ${isErased('credited_movements')}`)),
  },
  {
    name: 'I12 no text is kept of somebody who is no member',
    truth: nothing,
    claim: of(
      'activity',
      each(
        'movement_texts t',
        'not exists (select from members m where m.org_id = t.org_id and m.user_id = t.user_id)',
      ),
    ),
  },
  {
    name: 'I12 identity has no rows of anybody who is no member',
    truth: nothing,
    claim: of(
      'identity',
      each('persons p', 'not exists (select from memberships m where m.org_id = p.org_id and m.user_id = p.user_id)'),
    ),
  },
];
