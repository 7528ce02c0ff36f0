import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { personKey } from '@caravan/contracts/events/fact-key';
import { organisationDateOf } from '@caravan/contracts/domain/time/organisation-zone';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { PersonUnit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { Inject, Injectable } from '@nestjs/common';
import { BadgeAwards } from '../badges/index.ts';
import { zonesOf } from '../directory/index.ts';
import { LeaderboardUpkeep } from '../leaderboards/index.ts';
import { figuresWithBonus } from '../ledger/index.ts';
import { weeklyClaimStream } from './claims.projection.ts';
import { type Claim, type ClaimBonus, wasThere } from './claim.ts';
import { challengeFor, figuresFor, restsOnOwnerOnly } from './progress.query.ts';
import type { MetChallenge } from './progress.query.ts';
import { isReached } from './progress.ts';
import { weeklyChallengeCompleted } from './public-events.ts';

type Claiming = {
  readonly state: Claim;
  readonly isNew: boolean;
  /** Identifies the badge that the claim earns. */
  readonly audience: { readonly isOwnerOnly?: true };
};
type Whose = { readonly orgId: string; readonly userId: string };

@Injectable()
export class ClaimsService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(LeaderboardUpkeep) private readonly boards: LeaderboardUpkeep,
    @Inject(BadgeAwards) private readonly badges: BadgeAwards,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** True once the caller has the bonus, however often it is asked (D14). */
  async complete({ meta, orgId, userId }: Caller, challengeId: string): Promise<boolean> {
    const { state, isNew, badges } = await this.store.transaction(meta, async (unit) => {
      const claiming = await claimBonus(unit, challengeId);
      const firstOne = { badgeId: firstChallenge, earnedAt: meta.at.toISOString(), ...claiming.audience };
      return { ...claiming, badges: claiming.isNew ? await this.badges.review(unit, [firstOne]) : [] };
    });
    if (isNew) this.announce({ orgId, userId });
    if (badges.length > 0) this.badges.announce(orgId, userId);
    return state.is === 'claimed';
  }

  /** It can be claimed again later (D8). */
  async reevaluate(
    { orgId, userId }: Whose,
    { challengeId, teamId }: { challengeId: string; teamId: string },
    at: Date,
  ): Promise<void> {
    const meta = { orgId, actorId: null, at, key: personKey(userId) };
    const { isTaken, badges } = await this.store.transaction(meta, async (unit) => {
      const isTaken = await withdrawBonus(unit, challengeId, teamId);
      return { isTaken, badges: isTaken ? await this.badges.withdraw(unit) : [] };
    });
    if (isTaken) this.announce({ orgId, userId });
    if (badges.length > 0) this.badges.announce(orgId, userId);
  }

  private announce({ orgId, userId }: Whose): void {
    this.boards.settle(orgId);
    this.live.publish(orgId, ['challenges', 'me'], { to: userId });
  }
}

export const teamKey = (teamId: string): string => `weekly-challenges ${teamId}`;

/** Others of the team may be corrected meanwhile: their review waits for the team's key, so it sees this claim. */
async function lockedChallenge(unit: PersonUnit, challengeId: string, teamId?: string): Promise<MetChallenge> {
  const { tx, meta } = unit;
  const whose = { orgId: meta.orgId, userId: meta.key.id };
  const met = await challengeFor(tx, whose, challengeId);
  const team = teamId ?? met.teamId;
  if (team === null) throw notYet();
  const keys = met.challengeType === 'team' ? [meta.key.id, teamKey(team)] : [meta.key.id];
  await tx.query('select es.lock_keys($1)', [keys]);
  return { ...(await challengeFor(tx, whose, challengeId)), teamId: team };
}

async function claimBonus(unit: PersonUnit, challengeId: string): Promise<Claiming> {
  const { tx, meta } = unit;
  const challenge = await lockedChallenge(unit, challengeId);
  const { teamId, bonusCentimiles: centimiles, weekStartsOn } = challenge;
  if (teamId === null) throw notYet();
  const whose = { orgId: meta.orgId, userId: meta.key.id, teamId };
  const hasReached = isReached(challenge, await figuresFor(tx, whose, challenge));
  const isOwnerOnly = hasReached && (await restsOnOwnerOnly(tx, whose, challenge));
  const command: ClaimBonus = {
    type: 'ClaimBonus',
    entryId: randomUUIDv7(),
    challengeId,
    userId: meta.key.id,
    teamId,
    centimiles,
    weekStartsOn,
    claimedOn: organisationDateOf(await zonesOf(tx, meta.orgId), meta.at),
    isReached: hasReached,
    wasThere: wasThere(challenge, challenge),
    isOwnerOnly,
  };
  const after = await figuresWithBonus(unit, centimiles);
  const { state, events } = await unit.handle(weeklyClaimStream, streamOf(challengeId, meta.key.id), command, after);
  const isNew = events.length > 0;
  if (isNew) await unit.publish(weeklyChallengeCompleted(challenge, { ...whose, isOwnerOnly, at: meta.at }));
  return { state, isNew, audience: isOwnerOnly ? { isOwnerOnly } : {} };
}

async function withdrawBonus(unit: PersonUnit, challengeId: string, teamId: string): Promise<boolean> {
  const { tx, meta } = unit;
  const challenge = await lockedChallenge(unit, challengeId, teamId);
  const figures = await figuresFor(tx, { orgId: meta.orgId, userId: meta.key.id, teamId }, challenge);
  const command = { type: 'WithdrawBonus', entryId: randomUUIDv7(), isReached: isReached(challenge, figures) } as const;
  const after = await figuresWithBonus(unit, 0 - challenge.bonusCentimiles);
  const { events } = await unit.handle(weeklyClaimStream, streamOf(challengeId, meta.key.id), command, after);
  return events.length > 0;
}

const firstChallenge = 'first-weekly-challenge';

const streamOf = (challengeId: string, userId: string): string => `${challengeId}.${userId}`;

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}
