import type { StreakRun } from '@caravan/contracts/streak';
import type { Tx } from '@caravan/event-store/event-store';
import type { Recorded } from '@caravan/event-store/projection';
import { type PublicHistory, publicHistory } from '@caravan/event-store/public-history';
import { badgesStream } from './badges/public-events.ts';
import type { BonusChallengeEvent } from './bonus-challenges/bonus-challenge.ts';
import { bonusChallengeStream, type Outcome } from './bonus-challenges/public-events.ts';
import type { JourneyEvent } from './journey/journey.ts';
import { contributorsOf } from './journey/journey.query.ts';
import { type Contributors, journeyStream } from './journey/public-events.ts';
import type { LedgerEvent } from './ledger/ledger.ts';
import { memberSnapshotOf } from './ledger/member-snapshot.query.ts';
import { type FiguresAfter, ledgerStream } from './ledger/public-events.ts';
import { figuresWith, latestAfter, latestOfAll } from './ledger/streaks.ts';
import { weeklyClaimStream } from './weekly-challenges/claims.projection.ts';

/** What this service publishes again for read models elsewhere: all that it records, with figures as they are now. */
export const history: readonly PublicHistory[] = [
  publicHistory(badgesStream),
  publicHistory(bonusChallengeStream, outcomesOf),
  publicHistory(journeyStream, contributorsOfEach),
  publicHistory(ledgerStream, figuresOf),
  publicHistory(weeklyClaimStream, figuresOf),
];

/** Each fact tells the member's figures of today: who keeps the latest ends with the same. */
async function figuresOf(tx: Tx, events: readonly Recorded<LedgerEvent>[]): Promise<FiguresAfter[]> {
  const figures = new Map<string, Promise<FiguresAfter>>();
  for (const { orgId, data } of events) {
    const id = `${orgId} ${data.userId}`;
    if (!figures.has(id)) figures.set(id, figuresOfMember(tx, { orgId, userId: data.userId }));
  }
  return Promise.all(
    events.map(async ({ orgId, data }) => (await figures.get(`${orgId} ${data.userId}`)) ?? noFigures),
  );
}

const noFigures: FiguresAfter = { totalCentimiles: 0, latestRun: null };

async function figuresOfMember(tx: Tx, whose: { orgId: string; userId: string }): Promise<FiguresAfter> {
  const before = await memberSnapshotOf(tx, whose);
  return figuresWith(before.centimiles, latestAfter(before, []) ?? (await latestRunOf(tx, whose)));
}

async function latestRunOf(tx: Tx, { orgId, userId }: { orgId: string; userId: string }) {
  const { rows } = await tx.query<StreakRun>(
    `select started_on as "startedOn", ended_on as "endedOn" from streak_runs
     where org_id = $1 and user_id = $2 order by started_on`,
    [orgId, userId],
  );
  return latestOfAll(rows, [], {});
}

async function outcomesOf(tx: Tx, events: readonly Recorded<BonusChallengeEvent>[]): Promise<Outcome[]> {
  const { rows } = await tx.query<{ challengeId: string; completedCount: number }>(
    `select challenge_id as "challengeId", count(*)::int as "completedCount" from bonus_completions
     where (org_id, challenge_id) in (select * from unnest($1::uuid[], $2::uuid[])) group by 1`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.challengeId)],
  );
  const counts = new Map(rows.map(({ challengeId, completedCount }) => [challengeId, completedCount]));
  return events.map(({ data }) => ({ completedCount: counts.get(data.challengeId) ?? 0 }));
}

/** Who has contributed since the journey of each event began. */
function contributorsOfEach(tx: Tx, events: readonly Recorded<JourneyEvent>[]): Promise<Contributors[]> {
  return Promise.all(
    events.map(async ({ orgId, streamId, type, data }) => {
      if (type !== 'CheckpointReached') return new Map();
      const { rows } = await tx.query<{ startsOn: string }>(
        `select data ->> 'startsOn' as "startsOn" from es.events
         where org_id = $1 and stream_id = $2 and type = 'JourneyStarted' and data ->> 'journeyId' = $3`,
        [orgId, streamId, data.journeyId],
      );
      return contributorsOf(tx, orgId, { teamIds: [data.teamId], since: rows[0]?.startsOn ?? '-infinity' });
    }),
  );
}
