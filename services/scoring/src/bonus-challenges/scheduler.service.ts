import { randomUUIDv7 } from 'node:crypto';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { bonusChallengeStream } from './bonus-challenge-stream.ts';
import { figuresOf } from './bonus-challenges.query.ts';
import { expiredChallenges, organisationsWithoutChallenge } from './bonus-challenges.system.query.ts';
import type { Candidate, Expired } from './bonus-challenges.system.query.ts';
import { closingTimeFor } from './bonus-challenge.ts';
import { proposalFor } from './strategies.ts';

export const scheduleBonusChallenges = defineJob({
  name: 'scoring.schedule-bonus-challenges',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 30,
});

export const closeBonusChallenge = defineJob({
  name: 'scoring.close-bonus-challenge',
  remadeBy: 'scoring.schedule-bonus-challenges',
  data: z.object({ orgId: z.uuid(), challengeId: z.uuid() }),
});

type Opened = { readonly challengeId: string; readonly expiresAt: Date };

/** Opens bonus challenges when it is time and closes them when theirs is over (D15). */
@Injectable()
export class BonusChallengeScheduler {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** Opens one in an organisation where none is open and it is time for one, without waiting for the next look. */
  async openDue(orgId: string, at: Date): Promise<void> {
    for (const candidate of await this.candidates(orgId)) await this.openWhenItIsTime(candidate, at);
  }

  /** Ends a challenge; one that has ended stays as it is. */
  async close(orgId: string, challengeId: string, at: Date): Promise<void> {
    const isClosed = await this.store.transaction(metaOf(orgId, at), async (unit) => {
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const outcome = { completedCount: await completedCount(unit, challengeId) };
      const command = { type: 'CloseBonusChallenge', challengeId } as const;
      return (await unit.handle(bonusChallengeStream, challengeId, command, outcome)).events.length > 0;
    });
    if (isClosed) this.live.publish(orgId, ['challenges']);
  }

  async openWhenItIsTime(candidate: Candidate, at: Date): Promise<void> {
    const expiresAt = closingTimeFor(at, candidate);
    if (expiresAt) await this.open(candidate, { at, expiresAt });
  }

  private async open(candidate: Candidate, hours: { at: Date; expiresAt: Date }): Promise<void> {
    const { orgId } = candidate;
    const opened = await this.store.transaction(metaOf(orgId, hours.at), (unit) => openOne(unit, candidate, hours));
    if (!opened) return;
    this.live.publish(orgId, ['challenges']);
    const { challengeId, expiresAt } = opened;
    const delaySeconds = Math.max(Math.ceil((expiresAt.getTime() - Date.now()) / 1_000), 0);
    // Should this be lost, the next look closes it.
    await this.jobs.enqueueOrKeep(closeBonusChallenge, { orgId, challengeId }, { key: challengeId, delaySeconds });
  }

  /** Open challenges whose time is over. */
  findExpired(at: Date): Promise<Expired[]> {
    return expiredChallenges(this.pool, at);
  }

  /** Organisations in which none is open; where `orgId` is not null, that one alone. */
  candidates(orgId: string | null = null): Promise<Candidate[]> {
    return organisationsWithoutChallenge(this.pool, orgId);
  }
}

/** One of several processes that look at the same time opens it; the others find it open. */
async function openOne(
  unit: Unit,
  candidate: Candidate,
  { at, expiresAt }: Omit<Opened, 'challengeId'> & { at: Date },
) {
  const { orgId } = candidate;
  await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
  const { rows } = await unit.tx.query(
    `select from bonus_challenges where org_id = $1 and (closed_at is null or opened_at > $2)`,
    [orgId, candidate.lastOpenedAt ?? new Date(0)],
  );
  if (rows.length > 0) return undefined;
  const proposal = proposalFor(await figuresOf(unit.tx, { ...candidate, at }));
  const challengeId = randomUUIDv7();
  const command = { type: 'OpenBonusChallenge', challengeId, proposal, expiresAt } as const;
  await unit.create(bonusChallengeStream, challengeId, command, { completedCount: 0 });
  return { challengeId, expiresAt };
}

async function completedCount({ tx, meta }: Unit, challengeId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from bonus_completions where org_id = $1 and challenge_id = $2',
    [meta.orgId, challengeId],
  );
  return rows[0]?.count ?? 0;
}

const metaOf = (orgId: string, at: Date) => ({ orgId, actorId: null, at, key: organisationKey(orgId) });
