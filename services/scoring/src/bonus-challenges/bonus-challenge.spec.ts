import { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/events/scoring.events';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
import { bonusChallengeStream } from './bonus-challenge-stream.ts';
import { bonusChallenge } from './bonus-challenge.ts';
import { strategies } from './strategies.ts';
import { wordsOf } from './strategies.ts';

const at = new Date('2026-11-18T09:00:00.000Z');
const challengeId = '019a8c10-0000-7000-8000-000000000062';
const given = specOf(bonusChallenge, { by: null, at });
const open = {
  type: 'OpenBonusChallenge',
  challengeId,
  proposal: { strategy: 'momentum_boost', activityType: 'Walking', targetDurationMinutes: 20 },
  expiresAt: new Date('2026-11-18T17:00:00.000Z'),
} as const;
const close = { type: 'CloseBonusChallenge', challengeId } as const;
const opened = {
  type: 'BonusChallengeOpened',
  data: {
    challengeId,
    strategy: 'momentum_boost',
    activityType: 'Walking',
    targetDurationMinutes: 20,
    multiplier: 2,
    openedAt: at.toISOString(),
    expiresAt: '2026-11-18T17:00:00.000Z',
  },
} as const;
const closed = { type: 'BonusChallengeClosed', data: { challengeId, closedAt: at.toISOString() } } as const;

describe('a bonus challenge', () => {
  test('[3.11 9.4 D15] opens with twice the miles', () => {
    given().when(open).then(opened);
  });

  test('[D15] opens and closes once, however often it is asked', () => {
    given(opened).when(open).thenNothing();
    given(opened).when(close).then(closed);
    given(opened, closed).when(close).thenNothing();
    given(opened, closed).when(open).thenNothing();
    given().when(close).thenNothing();
  });

  test('[D15] tells everybody else what it asks for and what has come of it', () => {
    const recorded = { eventId: 'e', streamId: 's', version: 1, orgId: 'o', actorId: null, recordedAt: at };
    const { BonusChallengeOpened: ofOpening, BonusChallengeClosed: ofClosing } = bonusChallengeStream.publicEvents;
    if (ofOpening === 'private' || ofClosing === 'private') throw new Error('both leave');
    const outcome = { completedCount: 7 };
    expect(bonusChallengeOpened.data.parse(ofOpening({ ...recorded, ...opened }, outcome).data)).toMatchObject({
      title: 'Walking Boost',
      activityType: 'Walking',
      multiplier: 2,
    });
    expect(bonusChallengeClosed.data.parse(ofClosing({ ...recorded, ...closed }, outcome).data)).toMatchObject(outcome);
  });

  test('[3.27 D15] says what to do, by every strategy', () => {
    for (const strategy of strategies) {
      const { title, description } = wordsOf({ strategy, activityType: 'Biking', targetDurationMinutes: 30 });
      expect(title).not.toBe('');
      expect(description).toMatch(/30 minutes of Biking.* earn.* double miles/);
    }
  });
});

test('[ADR-0001] bonus challenges are found under the category that they were stored under', () => {
  expect(bonusChallenge.category).toBe('bonus-challenge');
});
