import { specOf } from '@caravan/event-store/testing/given-when-then';
import { fold } from '@caravan/event-store/core/decider';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MilesCredited } from '../ledger/ledger.ts';
import { claim, wasThere } from './claim.ts';
import type { ClaimBonus, WithdrawBonus } from './claim.ts';

const at = new Date('2026-11-18T17:31:00.000Z');
const given = specOf(claim, { by: 'maya', at });
const claiming: ClaimBonus = {
  type: 'ClaimBonus',
  entryId: 'entry-1',
  challengeId: 'walk',
  userId: 'maya',
  teamId: 'thunder',
  centimiles: 100,
  weekStartsOn: '2026-11-16',
  claimedOn: '2026-11-18',
  isReached: true,
  wasThere: true,
  isOwnerOnly: false,
};
const withdrawing: WithdrawBonus = { type: 'WithdrawBonus', entryId: 'entry-2', isReached: false };
const entry: MilesCredited = {
  type: 'MilesCredited',
  data: {
    entryId: 'entry-1',
    kind: 'weekly-bonus',
    logId: null,
    userId: 'maya',
    teamId: 'thunder',
    centimiles: 100,
    creditedOn: '2026-11-18',
    weekStartsOn: '2026-11-16',
    creditedAt: at.toISOString(),
    movements: 0,
    basis: { challengeId: 'walk' },
  },
};
const withdrawn: MilesCredited = {
  ...entry,
  data: { ...entry.data, entryId: 'entry-2', kind: 'weekly-bonus-withdrawn', centimiles: -100 },
};

describe("a weekly challenge's bonus", () => {
  test('[3.14 D14] is an entry of the ledger once the target is reached', () => {
    given().when(claiming).then(entry);
    given()
      .when({ ...claiming, isReached: false })
      .thenNothing();
  });

  test('[D14 D21] is for the eyes of its member where only they may see what reached the target', () => {
    const own: MilesCredited = { ...entry, data: { ...entry.data, isOwnerOnly: true } };
    given()
      .when({ ...claiming, isOwnerOnly: true })
      .then(own);
    given(own)
      .when(withdrawing)
      .then({ ...withdrawn, data: { ...withdrawn.data, isOwnerOnly: true } });
  });

  test('[D4 D14] claimed again changes nothing, whatever has become of the target', () => {
    given(entry)
      .when({ ...claiming, entryId: 'another' })
      .thenNothing();
    given(entry)
      .when({ ...claiming, isReached: false })
      .thenNothing();
  });

  test.each([
    ['2026-11-29', 'the seventh day after the week', true],
    ['2026-11-30', 'the eighth', false],
    ['2027-11-30', 'a year later', false],
  ])('[D14 ADR-0019] of an ended week is claimed on %s, %s: %s', (claimedOn, _, isClaimed) => {
    const late = given().when({ ...claiming, claimedOn });
    if (isClaimed) late.then({ ...entry, data: { ...entry.data, creditedOn: claimedOn } });
    else late.thenNothing();
    given(entry)
      .when({ ...claiming, claimedOn })
      .thenNothing();
  });

  test('[D14] is for those who were there that week, of a team for those who were in it', () => {
    given()
      .when({ ...claiming, wasThere: false })
      .thenNothing();
    const week = { weekStartsOn: '2026-11-16' };
    const since = (joinedOn: string | null, inTeamSince: string | null) => ({ joinedOn, inTeamSince });
    const [own, teams] = (['individual', 'team'] as const).map((challengeType) => ({ ...week, challengeType }));
    if (!own || !teams) throw new Error('two challenges');
    expect([own, teams].map((one) => wasThere(one, since(null, null)))).toEqual([true, true]);
    expect([own, teams].map((one) => wasThere(one, since('2026-11-22', '2026-11-22')))).toEqual([true, true]);
    expect([own, teams].map((one) => wasThere(one, since('2026-11-23', '2026-11-23')))).toEqual([false, false]);
    expect([own, teams].map((one) => wasThere(one, since('2026-01-01', '2026-11-23')))).toEqual([true, false]);
  });

  test('[D8] is taken back by an entry of its own, from the same team and week', () => {
    given(entry).when(withdrawing).then(withdrawn);
    given(entry)
      .when({ ...withdrawing, isReached: true })
      .thenNothing();
    given().when(withdrawing).thenNothing();
    given(entry, withdrawn).when(withdrawing).thenNothing();
  });

  test('[D8 D14] can be claimed again after that', () => {
    given(entry, withdrawn)
      .when({ ...claiming, entryId: 'entry-3' })
      .then({ ...entry, data: { ...entry.data, entryId: 'entry-3' } });
  });

  test('[D8 D9 D14] is worth nothing or itself after any history of claims, reviews and corrections', () => {
    const step = fc.record({ isClaim: fc.boolean(), isReached: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events: MilesCredited[] = [];
        let isHeld = false;
        for (const [nth, { isClaim, isReached }] of steps.entries()) {
          const entryId = `entry-${nth}`;
          const command = isClaim ? { ...claiming, entryId, isReached } : { ...withdrawing, entryId, isReached };
          events.push(...claim.decide(command, fold(claim, events), { by: 'maya', orgId: 'org', at }));
          // The oracle: held from the first claim that is reached until a look finds that it does not hold.
          isHeld = isClaim ? isHeld || isReached : isHeld && isReached;
          expect(events.reduce((sum, { data }) => sum + data.centimiles, 0)).toBe(isHeld ? 100 : 0);
        }
        expect(new Set(events.map(({ data }) => data.entryId)).size).toBe(events.length);
      }),
      { numRuns: 10_000 },
    );
  });
});

test('[ADR-0001] claims are found under the category that they were stored under', () => {
  expect(claim.category).toBe('weekly-claim');
});
