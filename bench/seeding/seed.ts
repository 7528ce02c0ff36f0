import { standingAt, streakStartOn } from '@caravan/contracts/domain/movement/streak';
import { z } from 'zod';
import type { Product } from '../product.ts';
import { activitySql, appendSql, instantSql, logsSql, type Crowd } from './crowd.ts';
import { asOwner, type Tx } from './databases.ts';

/** Everybody joined before their first log. */
const joinedSql = (at: Date) => `('${at.toISOString()}'::timestamptz - interval '60 days')`;

/** In SQL, so that it takes about as long as copying the rows. Projections are left to rebuilds. */
export async function appendCrowds(product: Product, crowds: readonly Crowd[]): Promise<void> {
  await Promise.all(
    seededServices.map((service) =>
      asOwner(product, service, async (tx) => {
        for (const crowd of crowds) await appendCrowd(service, tx, crowd);
      }),
    ),
  );
}

const appends = {
  identity: appendToIdentity,
  activity: appendToActivity,
  scoring: appendToScoring,
  social: appendToSocial,
} as const;

export type SeededService = keyof typeof appends;
export const seededServices = Object.keys(appends) as SeededService[];

export const appendCrowd = (service: SeededService, tx: Tx, crowd: Crowd): Promise<void> =>
  appends[service](tx, crowd, `with logs as materialized (${logsSql(crowd)})`);

async function appendToIdentity(tx: Tx, crowd: Crowd, logs: string): Promise<void> {
  const { place, at, of } = crowd;
  if (of === 'history') return keepOwnScore(tx, crowd, logs);
  const zone = `'${place.timeZone}'`;
  const email = `'seeded-${place.number}-' || n || '@example.org'`;
  await tx.query(`${logs}
    insert into persons (org_id, user_id, name, email, time_zone, created_at)
    select org_id, user_id, 'Seeded ' || n, ${email}, ${zone}, ${joinedSql(at)} from logs`);
  // Nobody signs in with it.
  await tx.query(`${logs}
    insert into credentials (org_id, user_id, email_key, password_hash) select org_id, user_id, ${email}, '!' from logs`);
  const data = `jsonb_build_object('userId', user_id, 'teamId', team_id, 'role', 'member',
    'joinedOn', (joined_at at time zone ${zone})::date, 'joinedAt', ${instantSql('joined_at')})`;
  const joined = `select l.*, ${joinedSql(at)} as joined_at from logs l`;
  await tx.query(
    `${logs} ${appendSql(
      'membership',
      `select n, org_id, user_id as stream, org_id as key, 'MemberJoined' as type, ${data} as data, user_id as actor_id,
         joined_at as recorded_at from (${joined}) j order by n`,
    )}`,
  );
  const { days, freezes } = standingAt(streakStartOn('2026-01-01'), '2026-01-01');
  await tx.query(`${logs}
    insert into member_scores (org_id, user_id, total_centimiles, run_started_on, run_ended_on, streak_days,
      streak_freezes, position)
    select org_id, user_id, centimiles, logged_on, logged_on, ${days}, ${freezes}, 1 from logs`);
}

async function keepOwnScore(tx: Tx, { place }: Crowd, logs: string): Promise<void> {
  const [sums] = await tx.query(
    `${logs} select min(logged_on)::text as "from", max(logged_on)::text as to, sum(centimiles)::int as centimiles from logs`,
  );
  const { from, to, centimiles } = z.object({ from: z.string(), to: z.string(), centimiles: z.number() }).parse(sums);
  const { days, freezes } = standingAt(streakStartOn(from), to);
  await tx.query(
    `update member_scores set total_centimiles = total_centimiles + $3, run_started_on = $4, run_ended_on = $5, streak_days = $6,
       streak_freezes = $7 where org_id = $1 and user_id = $2`,
    [place.orgId, place.founder.userId, centimiles, from, to, days, freezes],
  );
}

async function appendToActivity(tx: Tx, { place, of }: Crowd, logs: string): Promise<void> {
  const zone = `'${place.timeZone}'`;
  if (of === 'members')
    await tx.query(`${logs}
      insert into members (org_id, user_id, team_id, time_zone) select org_id, user_id, team_id, ${zone} from logs`);
  const data = `jsonb_build_object('logId', log_id, 'userId', user_id, 'teamId', team_id, 'activity', ${activitySql},
    'durationMinutes', minutes, 'centimiles', centimiles, 'multiplier', 1, 'source', 'timer',
    'startedAt', ${instantSql('started_at')}, 'loggedAt', ${instantSql('logged_at')}, 'loggedOn', logged_on,
    'timeZone', ${zone}, 'coveredCentimiles', null)`;
  await tx.query(`${logs} ${appendSql('movement', ofLogs('MovementLogged', data, 'user_id'))}`);
}

async function appendToScoring(tx: Tx, { place, at, of }: Crowd, logs: string): Promise<void> {
  if (of === 'members') {
    await tx.query(`${logs}
      insert into members (org_id, user_id, team_id, name, time_zone, joined_on, in_team_since)
      select org_id, user_id, team_id, 'Seeded ' || n, '${place.timeZone}', joined_on, joined_on
      from logs, lateral (select (${joinedSql(at)} at time zone '${place.timeZone}')::date as joined_on) j`);
    await tx.query(`${logs}
      insert into team_memberships (org_id, user_id, team_id, since)
      select org_id, user_id, team_id, ${joinedSql(at)} from logs`);
    await tx.query(`${logs}
      update teams t set member_count = t.member_count + l.count
      from (select team_id, count(*) as count from logs group by 1) l
      where t.org_id = '${place.orgId}' and t.team_id = l.team_id`);
  }
  const data = `jsonb_build_object('entryId', log_id, 'kind', 'log', 'logId', log_id, 'userId', user_id, 'teamId', team_id,
    'centimiles', centimiles, 'creditedOn', logged_on, 'weekStartsOn', week_starts_on,
    'creditedAt', ${instantSql('logged_at')},
    'basis', jsonb_build_object('activity', ${activitySql}, 'minutes', minutes, 'durationMinutes', minutes, 'multiplier', 1))`;
  await tx.query(`${logs} ${appendSql('ledger', ofLogs('MilesCredited', data, 'null::uuid'))}`);
  await tx.query(`${logs}
    insert into credited_movements (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at)
    select org_id, log_id, user_id, team_id, ${activitySql}, centimiles, logged_at from logs order by n`);
  const { daysBefore, freezes } = streakStartOn('2026-01-01');
  await tx.query(`${logs}
    insert into streak_starts (org_id, user_id, started_on, days_before, freezes)
    select org_id, user_id, min(logged_on), ${daysBefore}, ${freezes} from logs group by 1, 2 order by 1, 2
    on conflict (org_id, user_id) do update set started_on = excluded.started_on, days_before = excluded.days_before,
      freezes = excluded.freezes`);
}

async function appendToSocial(tx: Tx, { place, at, of }: Crowd, logs: string): Promise<void> {
  if (of === 'members') {
    await tx.query(`${logs}
      insert into members (org_id, user_id, team_id, name, time_zone, joined_on)
      select org_id, user_id, team_id, 'Seeded ' || n, '${place.timeZone}',
        (${joinedSql(at)} at time zone '${place.timeZone}')::date from logs`);
  }
  const { days } = standingAt(streakStartOn('2026-01-01'), '2026-01-01');
  const run = of === 'members' ? `min(logged_on), min(logged_on), ${days}, 0, 0` : 'null, null, null, null, null';
  await tx.query(`${logs}
    insert into recap_member_weeks as w (org_id, week_starts_on, user_id, team_id, centimiles,
      run_started_on, run_ended_on, run_days, epoch, position)
    select org_id, week_starts_on, user_id, team_id, sum(centimiles), ${run} from logs group by 1, 2, 3, 4
    on conflict (org_id, week_starts_on, user_id, team_id) do update set centimiles = w.centimiles + excluded.centimiles`);
  await tx.query(`${logs}
    insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, created_at)
    select org_id, log_id, user_id, team_id, ${activitySql}, minutes, centimiles, 'timer', logged_at from logs order by n`);
}

const ofLogs = (type: string, data: string, actor: string) => `
  select n, org_id, log_id as stream, user_id as key, '${type}' as type, ${data} as data, ${actor} as actor_id,
    logged_at as recorded_at from logs order by n`;
