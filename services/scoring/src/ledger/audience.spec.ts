import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import { type CorrectMiles, type CreditMiles, ledger, type LedgerEvent, type MilesEntry } from './ledger.ts';

const [first, second] = ['019a8c10-0000-7000-8000-0000000000e1', '019a8c10-0000-7000-8000-0000000000e2'];
const logId = '019a8c10-0000-7000-8000-000000000041';
const whose = {
  logId,
  userId: '019a8c10-0000-7000-8000-000000000031',
  teamId: '019a8c10-0000-7000-8000-000000000021',
};
const place = { creditedOn: '2026-11-16', weekStartsOn: '2026-11-16' };
const figures = { activity: 'Running', durationMinutes: 30, multiplier: 1 };
const [loggedAt, correctedAt] = ['2026-11-16T17:31:00.000Z', '2026-11-17T09:00:00.000Z'];
const removedAt = '2026-11-18T09:00:00.000Z';
const moved = {
  logId,
  centimiles: 300,
  ...figures,
  creditedOn: '2026-11-16',
  startedAt: '2026-11-16T17:00:00.000Z',
  zones: onlyZone('Europe/Berlin'),
};
const command: CreditMiles = { type: 'CreditMiles', ...whose, ...moved, loggedAt };
const correct = (changes: Partial<CorrectMiles>): CorrectMiles => ({
  type: 'CorrectMiles',
  ...moved,
  revision: 2,
  correctedAt,
  entryIds: [first, second],
  ...changes,
});
const credited = (data: Omit<MilesEntry, 'logId' | 'userId' | 'teamId'>): LedgerEvent => ({
  type: 'MilesCredited',
  data: { ...whose, ...data },
});
const logged = (changes: Partial<MilesEntry> = {}) =>
  credited({
    ...place,
    entryId: logId,
    kind: 'log',
    centimiles: 300,
    creditedAt: loggedAt,
    basis: { ...figures, minutes: 30 },
    ...changes,
  });
const own = logged({ isOwnerOnly: true });
const corrected = (changes: Partial<MilesEntry> & Pick<MilesEntry, 'basis'>) =>
  credited({
    ...place,
    entryId: first,
    kind: 'correction',
    centimiles: 0,
    creditedAt: correctedAt,
    revision: 2,
    ...changes,
  });
const basis = { ...figures, previousMinutes: 30, previousMultiplier: 1 };
const unscored = (changes: object = {}): LedgerEvent => ({
  type: 'MovementLeftUnscored',
  data: {
    ...whose,
    ...place,
    notedAt: correctedAt,
    activity: 'Running',
    durationMinutes: 30,
    revision: 2,
    ...changes,
  },
});
const given = specOf(ledger, { by: null });
const takeBack = { type: 'TakeBackMiles', logId, entryId: second, removedAt } as const;

describe('miles that only their owner may see', () => {
  test('[D21] are marked as that in every entry of their log', () => {
    given()
      .when({ ...command, isOwnerOnly: true })
      .then(own);
    given(own)
      .when(correct({ isOwnerOnly: true, centimiles: 200, durationMinutes: 20 }))
      .then(
        corrected({
          centimiles: -100,
          movements: 0,
          isOwnerOnly: true,
          basis: { ...basis, durationMinutes: 20, minutes: -10 },
        }),
      );
    given(own)
      .when(takeBack)
      .then(
        credited({
          ...place,
          entryId: second,
          kind: 'removal',
          centimiles: -300,
          creditedAt: removedAt,
          movements: -1,
          basis: { ...figures, minutes: -30 },
          isOwnerOnly: true,
        }),
      );
  });

  test('[D12 D21] go out where they were and come in for all once colleagues may see them, and back', () => {
    const kept = { reachedAt: loggedAt };
    const out = { ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } } as const;
    const into = { ...kept, entryId: second, centimiles: 300, movements: 1, basis: { ...basis, minutes: 30 } } as const;
    given(own)
      .when(correct({}))
      .then(corrected({ ...out, isOwnerOnly: true }), corrected(into));
    given(logged())
      .when(correct({ isOwnerOnly: true }))
      .then(corrected(out), corrected({ ...into, isOwnerOnly: true }));
  });

  test('[D21] are marked as that also while they are not scored', () => {
    given(own)
      .when(correct({ centimiles: 0, isOwnerOnly: true }))
      .then(
        corrected({
          centimiles: -300,
          movements: -1,
          isOwnerOnly: true,
          basis: { ...figures, minutes: -30, multiplier: 0 },
        }),
        unscored({ isOwnerOnly: true }),
      );
    given(unscored({ isOwnerOnly: true, revision: 1 }))
      .when(correct({ isOwnerOnly: true }))
      .then(
        credited({
          ...place,
          entryId: first,
          kind: 'log',
          centimiles: 300,
          creditedAt: correctedAt,
          revision: 2,
          basis: { ...figures, minutes: 30 },
          isOwnerOnly: true,
        }),
      );
  });
});

describe('miles of a log that counts no longer', () => {
  test('[D9 D25] go out with the reason', () => {
    given(logged())
      .when(correct({ centimiles: 0, notCounted: 'strava' }))
      .then(
        corrected({
          centimiles: -300,
          movements: -1,
          basis: { ...figures, minutes: -30, multiplier: 0, notCounted: 'strava' },
        }),
        unscored(),
      );
  });
});

describe('miles that move', () => {
  test('[D10 D12] to another date of the same week leave the sum of the week as it was reached', () => {
    const kept = { reachedAt: loggedAt };
    given(logged())
      .when(correct({ creditedOn: '2026-11-17', startedAt: '2026-11-17T07:00:00.000Z' }))
      .then(
        corrected({ ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } }),
        corrected({
          ...kept,
          entryId: second,
          centimiles: 300,
          movements: 1,
          creditedOn: '2026-11-17',
          basis: { ...basis, minutes: 30 },
        }),
      );
  });

  test('[D10 D12] to another week of the organisation go there, though their date stays', () => {
    const kept = { reachedAt: loggedAt, weekReachedAt: correctedAt };
    given(logged())
      .when(correct({ startedAt: '2026-11-15T22:30:00.000Z' }))
      .then(
        corrected({ ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } }),
        corrected({
          ...kept,
          entryId: second,
          centimiles: 300,
          movements: 1,
          weekStartsOn: '2026-11-09',
          basis: { ...basis, minutes: 30 },
        }),
      );
  });

  test('[D8] are taken back where they went, not where they were', () => {
    const out = corrected({ centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } });
    const into = corrected({
      entryId: second,
      centimiles: 300,
      movements: 1,
      creditedOn: '2026-11-09',
      weekStartsOn: '2026-11-09',
      basis: { ...basis, minutes: 30 },
    });
    given(logged(), out, into)
      .when({ ...takeBack, entryId: 'third' })
      .then(
        credited({
          entryId: 'third',
          kind: 'removal',
          centimiles: -300,
          creditedAt: removedAt,
          movements: -1,
          creditedOn: '2026-11-09',
          weekStartsOn: '2026-11-09',
          basis: { ...figures, minutes: -30 },
        }),
      );
  });

  test('[D12] and change by it count as reached when that was said', () => {
    given(logged())
      .when(correct({ creditedOn: '2026-11-17', centimiles: 400, durationMinutes: 40 }))
      .then(
        corrected({
          centimiles: -300,
          movements: -1,
          basis: { ...basis, durationMinutes: 40, minutes: -30 },
        }),
        corrected({
          entryId: second,
          centimiles: 400,
          movements: 1,
          creditedOn: '2026-11-17',
          basis: { ...basis, durationMinutes: 40, minutes: 40 },
        }),
      );
  });
});
