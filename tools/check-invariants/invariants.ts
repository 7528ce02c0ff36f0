import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { ballotInvariants } from './ballots.ts';
import { type Figures, type Invariant, nothingOf, scoring, waitingCredits } from './figures.ts';
import { importInvariants } from './imports.ts';
import { journeyInvariants } from './journeys.ts';
import { logInvariants } from './logs.ts';
import { noticeInvariants, unpublishedNotices } from './notices.ts';
import { peopleInvariants } from './people.ts';
import { streakInvariants } from './streaks.ts';
import { differences, figuresOf, poolOfAllOrganisations } from './sums.ts';

export type Databases = Readonly<Record<ServiceName, string>>;

const logsByMember: Figures = {
  service: 'activity',
  text: `select org_id || '/' || user_id id, sum(centimiles) sum from movement_logs group by org_id, user_id`,
};
const entries = (by: string): Figures => ({
  service: 'scoring',
  text: `select concat_ws('/', org_id, ${by}) id, sum(centimiles) sum from ledger_entries group by org_id, ${by}`,
});

/** Every figure that is shown equals the sum of what it stands for. */
const invariants: readonly Invariant[] = [
  ...logInvariants,
  {
    name: 'I2 a member has the sum of the own logs',
    truth: logsByMember,
    claim: { service: 'activity', text: `select org_id || '/' || user_id id, centimiles sum from member_miles` },
  },
  {
    name: 'I2 a member total is the sum of its entries',
    truth: entries('user_id'),
    claim: scoring(`select org_id || '/' || user_id id, centimiles sum from member_totals`),
  },
  {
    name: 'I2 a member week is the sum of its entries',
    truth: entries(`user_id, week_starts_on`),
    claim: scoring(`select concat_ws('/', org_id, user_id, week_starts_on) id, centimiles sum from member_weeks`),
  },
  {
    name: 'I2 a member week counts its entries, by which boards know the newer of two sums',
    truth: scoring(`select concat_ws('/', org_id, user_id, week_starts_on) id, count(*) sum from ledger_entries
        group by org_id, user_id, week_starts_on`),
    claim: scoring(`select concat_ws('/', org_id, user_id, week_starts_on) id, version sum from member_weeks`),
  },
  {
    name: 'I2 a member week was reached when its last change says',
    truth: scoring(`select concat_ws('/', org_id, data ->> 'userId', data ->> 'weekStartsOn') id,
          max((extract(epoch from coalesce(data ->> 'weekReachedAt', data ->> 'reachedAt', data ->> 'creditedAt')::timestamptz)
            * 1000)::bigint) sum
        from es.events where type = 'MilesCredited' group by 1`),
    claim: scoring(`select concat_ws('/', org_id, user_id, week_starts_on) id,
        (extract(epoch from reached_at) * 1000)::bigint sum from member_weeks`),
  },
  {
    name: 'I3 a team total is the sum of what was earned for it',
    truth: entries('team_id'),
    claim: scoring(`select org_id || '/' || team_id id, sum(centimiles) sum from (
        select org_id, team_id, centimiles from team_totals
        union all select org_id, team_id, centimiles from ${waitingCredits}) both_parts group by org_id, team_id`),
  },
  {
    name: 'I3 a team week is the sum of what was earned for it',
    truth: entries(`team_id, week_starts_on`),
    claim: scoring(`select concat_ws('/', org_id, team_id, week_starts_on) id, sum(centimiles) sum from (
        select org_id, team_id, week_starts_on, centimiles from team_weeks
        union all select org_id, team_id, week_starts_on, centimiles from ${waitingCredits}) both_parts
        group by org_id, team_id, week_starts_on`),
  },
  {
    name: 'I4 a member has the bonus of a weekly challenge once while it is claimed, else not at all',
    truth:
      scoring(`select concat_ws('/', c.org_id, c.user_id, c.challenge_id) id, w.bonus_centimiles sum from weekly_claims c
        join weekly_challenges w on w.org_id = c.org_id and w.challenge_id = c.challenge_id where c.is_claimed`),
    claim: scoring(`select concat_ws('/', org_id, user_id, challenge_id) id, sum(centimiles) sum from ledger_entries
        where kind in ('weekly-bonus', 'weekly-bonus-withdrawn') group by org_id, user_id, challenge_id`),
  },
  {
    name: 'I4 a bonus challenge is completed by one log of a member at most, and by the log that says so',
    truth: {
      service: 'activity',
      text: `select concat_ws('/', org_id, data ->> 'userId', data -> 'bonus' ->> 'challengeId') id, count(*) sum from (
          select distinct on (org_id, stream_id) org_id, type, data from es.events
          where category = 'movement' order by org_id, stream_id, version desc) latest
        where type <> 'MovementRemoved' and data ? 'bonus' group by 1`,
    },
    claim: {
      service: 'activity',
      text: `select concat_ws('/', org_id, user_id, challenge_id) id, 1 sum from bonus_uses`,
    },
  },
  {
    name: 'I6 reactions are what the event log says: one per member, post and emoji',
    truth: {
      service: 'social',
      text: `select concat_ws('/', org_id, data ->> 'logId', data ->> 'userId', data ->> 'emoji') id,
          sum(case type when 'ReactionGiven' then 1 else -1 end) sum
        from es.events where category = 'reactions' group by 1`,
    },
    claim: {
      service: 'social',
      text: `select concat_ws('/', org_id, log_id, user_id, emoji) id, count(*) sum from reactions group by 1`,
    },
  },
  {
    name: 'I6 a post counts its reactions',
    truth: {
      service: 'social',
      text: `select concat_ws('/', org_id, log_id, emoji) id, count(*) sum from reactions group by 1`,
    },
    claim: {
      service: 'social',
      text: `select concat_ws('/', org_id, log_id, emoji) id, count sum from reaction_counts`,
    },
  },
  ...streakInvariants,
  ...peopleInvariants,
  ...journeyInvariants,
  ...ballotInvariants,
  ...noticeInvariants,
  ...importInvariants,
];

const unfinished = `select 'outbox' id, count(*) sum from es.outbox having count(*) > 0
  union all select 'parked ' || consumer_group, count(*) from msg.parked group by consumer_group`;

/** Reads every database of the instance. */
export const violations = (databases: Databases): Promise<string[]> => look(databases, { forWorkLeft: true });

/** Work may be left: what needs a database that is not given is left out. */
export const brokenInvariants = (databases: Partial<Databases>): Promise<string[]> =>
  look(databases, { forWorkLeft: false });

async function look(databases: Partial<Databases>, { forWorkLeft }: { forWorkLeft: boolean }): Promise<string[]> {
  const pools = new Map(
    serviceNames.flatMap((name) => {
      const connectionString = databases[name];
      return connectionString === undefined ? [] : [[name, poolOfAllOrganisations(connectionString, 2)] as const];
    }),
  );
  const figures = ({ service, text }: Figures) => {
    const pool = pools.get(service);
    if (!pool) throw new Error(`no database for ${service}`);
    return figuresOf(pool, text);
  };
  try {
    const found: string[] = [];
    if (forWorkLeft)
      for (const service of pools.keys())
        found.push(
          ...(await differences(
            { name: `${service} has work left` },
            figures(nothingOf(service)),
            figures({
              service,
              text: service === 'social' ? `${unfinished} union all ${unpublishedNotices}` : unfinished,
            }),
          )),
        );
    for (const invariant of invariants) {
      const { truth, claim } = invariant;
      if (pools.has(truth.service) && pools.has(claim.service))
        found.push(...(await differences(invariant, figures(truth), figures(claim))));
    }
    return found;
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
  }
}

/** Throws with what still does not hold. */
export async function settle(databases: Databases, withinMilliseconds: number): Promise<void> {
  const deadline = Date.now() + withinMilliseconds;
  for (;;) {
    const found = await violations(databases);
    if (found.length === 0) return;
    if (Date.now() > deadline) throw new Error(`These invariants do not hold:\n${found.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
