import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import { type CorrectMiles, type CreditMiles, ledger, type LedgerEvent, type MilesEntry } from './ledger.ts';

const first = '019a8c10-0000-7000-8000-0000000000e1';
const second = '019a8c10-0000-7000-8000-0000000000e2';
const logId = '019a8c10-0000-7000-8000-000000000041';
const whose = {
  logId,
  userId: '019a8c10-0000-7000-8000-000000000031',
  teamId: '019a8c10-0000-7000-8000-000000000021',
};
const place = { creditedOn: '2026-11-16', weekStartsOn: '2026-11-16' };
const figures = { activity: 'Running', durationMinutes: 30, multiplier: 1 };
const loggedAt = '2026-11-16T17:31:00.000Z';
const correctedAt = '2026-11-17T09:00:00.000Z';
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
const creditedEvent = (data: Omit<MilesEntry, 'logId' | 'userId' | 'teamId'>): LedgerEvent => ({
  type: 'MilesCredited',
  data: { ...whose, ...data },
});
const loggedEvent = (changes: Partial<MilesEntry> = {}) =>
  creditedEvent({
    ...place,
    entryId: logId,
    kind: 'log',
    centimiles: 300,
    creditedAt: loggedAt,
    basis: { ...figures, minutes: 30 },
    ...changes,
  });
const own = loggedEvent({ isOwnerOnly: true });
const correctedEvent = (changes: Partial<MilesEntry> & Pick<MilesEntry, 'basis'>) =>
  creditedEvent({
    ...place,
    entryId: first,
    kind: 'correction',
    centimiles: 0,
    creditedAt: correctedAt,
    revision: 2,
    ...changes,
  });
const basis = { ...figures, previousMinutes: 30, previousMultiplier: 1 };
const unscoredEvent = (changes: object = {}): LedgerEvent => ({
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
        correctedEvent({
          centimiles: -100,
          movements: 0,
          isOwnerOnly: true,
          basis: { ...basis, durationMinutes: 20, minutes: -10 },
        }),
      );
    given(own)
      .when(takeBack)
      .then(
        creditedEvent({
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
      .then(correctedEvent({ ...out, isOwnerOnly: true }), correctedEvent(into));
    given(loggedEvent())
      .when(correct({ isOwnerOnly: true }))
      .then(correctedEvent(out), correctedEvent({ ...into, isOwnerOnly: true }));
  });

  test('[D21] are marked as that also while they are not scored', () => {
    given(own)
      .when(correct({ centimiles: 0, isOwnerOnly: true }))
      .then(
        correctedEvent({
          centimiles: -300,
          movements: -1,
          isOwnerOnly: true,
          basis: { ...figures, minutes: -30, multiplier: 0 },
        }),
        unscoredEvent({ isOwnerOnly: true }),
      );
    given(unscoredEvent({ isOwnerOnly: true, revision: 1 }))
      .when(correct({ isOwnerOnly: true }))
      .then(
        creditedEvent({
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
    given(loggedEvent())
      .when(correct({ centimiles: 0, notCounted: 'strava' }))
      .then(
        correctedEvent({
          centimiles: -300,
          movements: -1,
          basis: { ...figures, minutes: -30, multiplier: 0, notCounted: 'strava' },
        }),
        unscoredEvent(),
      );
  });
});

describe('miles that move', () => {
  test('[D10 D12] to another date of the same week leave the sum of the week as it was reached', () => {
    const kept = { reachedAt: loggedAt };
    given(loggedEvent())
      .when(correct({ creditedOn: '2026-11-17', startedAt: '2026-11-17T07:00:00.000Z' }))
      .then(
        correctedEvent({ ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } }),
        correctedEvent({
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
    given(loggedEvent())
      .when(correct({ startedAt: '2026-11-15T22:30:00.000Z' }))
      .then(
        correctedEvent({ ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } }),
        correctedEvent({
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
    const out = correctedEvent({ centimiles: -300, movements: -1, basis: { ...basis, minutes: -30 } });
    const into = correctedEvent({
      entryId: second,
      centimiles: 300,
      movements: 1,
      creditedOn: '2026-11-09',
      weekStartsOn: '2026-11-09',
      basis: { ...basis, minutes: 30 },
    });
    given(loggedEvent(), out, into)
      .when({ ...takeBack, entryId: 'third' })
      .then(
        creditedEvent({
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
    given(loggedEvent())
      .when(correct({ creditedOn: '2026-11-17', centimiles: 400, durationMinutes: 40 }))
      .then(
        correctedEvent({
          centimiles: -300,
          movements: -1,
          basis: { ...basis, durationMinutes: 40, minutes: -30 },
        }),
        correctedEvent({
          entryId: second,
          centimiles: 400,
          movements: 1,
          creditedOn: '2026-11-17',
          basis: { ...basis, durationMinutes: 40, minutes: 40 },
        }),
      );
  });
});
