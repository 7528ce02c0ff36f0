import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import { ledger } from './ledger.ts';
import type { CorrectMiles, CreditMiles, LedgerEvent, MilesCredited, TakeBackMiles } from './ledger.ts';

const first = '019a8c10-0000-7000-8000-0000000000e1';
const second = '019a8c10-0000-7000-8000-0000000000e2';
const whose = {
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: '019a8c10-0000-7000-8000-000000000031',
  teamId: '019a8c10-0000-7000-8000-000000000021',
};
const place = { creditedOn: '2026-11-16', weekStartsOn: '2026-11-16' };
const moved = {
  logId: whose.logId,
  centimiles: 0,
  activity: 'Running',
  durationMinutes: 30,
  multiplier: 1,
  creditedOn: '2026-11-16',
  startedAt: '2026-11-16T17:00:00.000Z',
  zones: onlyZone('Europe/Berlin'),
};
const command: CreditMiles = { type: 'CreditMiles', ...whose, ...moved, loggedAt: '2026-11-16T17:31:00.000Z' };
const correct = (changes: Partial<CorrectMiles>): CorrectMiles => ({
  type: 'CorrectMiles',
  ...moved,
  revision: 2,
  correctedAt: '2026-11-17T09:00:00.000Z',
  entryIds: [first, second],
  ...changes,
});
const takeBack: TakeBackMiles = {
  type: 'TakeBackMiles',
  logId: whose.logId,
  entryId: second,
  removedAt: '2026-11-18T09:00:00.000Z',
};
const unscoredEvent = (revision: number, changes: object = {}): LedgerEvent => ({
  type: 'MovementLeftUnscored',
  data: {
    ...whose,
    ...place,
    notedAt: command.loggedAt,
    activity: 'Running',
    durationMinutes: 30,
    revision,
    ...changes,
  },
});
const scored: MilesCredited = {
  type: 'MilesCredited',
  data: {
    ...whose,
    ...place,
    entryId: first,
    kind: 'log',
    centimiles: 300,
    revision: 2,
    creditedAt: '2026-11-17T09:00:00.000Z',
    basis: { activity: 'Running', minutes: 30, durationMinutes: 30, multiplier: 1 },
  },
};
const out: MilesCredited = {
  type: 'MilesCredited',
  data: {
    ...whose,
    ...place,
    entryId: first,
    kind: 'correction',
    centimiles: -300,
    revision: 3,
    movements: -1,
    creditedAt: '2026-11-19T09:00:00.000Z',
    basis: { activity: 'Running', minutes: -30, durationMinutes: 30, multiplier: 0 },
  },
};
const gone: LedgerEvent = {
  type: 'UnscoredMovementRemoved',
  data: { logId: whose.logId, userId: whose.userId, removedAt: takeBack.removedAt },
};
const given = specOf(ledger, { by: null });

describe('a log that is not scored', () => {
  test('[D21] is no entry of its member, however often it is told', () => {
    given().when(command).then(unscoredEvent(1));
    given(unscoredEvent(1)).when(command).thenNothing();
  });

  test('[D21] comes in with all it has, once its owner consents', () => {
    given(unscoredEvent(1))
      .when(correct({ centimiles: 300 }))
      .then(scored);
  });

  test('[D21] goes out with all it had, once they do so no longer, and comes in again', () => {
    const withdrawn = correct({ revision: 3, correctedAt: '2026-11-19T09:00:00.000Z' });
    given(unscoredEvent(1), scored)
      .when(withdrawn)
      .then(out, unscoredEvent(3, { notedAt: '2026-11-19T09:00:00.000Z' }));
    const again = correct({ revision: 4, centimiles: 300, entryIds: [second, first] });
    given(unscoredEvent(1), scored, out, unscoredEvent(3))
      .when(again)
      .then({ ...scored, data: { ...scored.data, entryId: second, revision: 4 } });
  });

  test('[D21 D8] goes out where it stood, also when it moves to another day in the same moment', () => {
    const elsewhere = { creditedOn: '2026-11-09', startedAt: '2026-11-09T17:00:00.000Z', durationMinutes: 50 };
    given(unscoredEvent(1), scored)
      .when(correct({ ...elsewhere, revision: 3, correctedAt: '2026-11-19T09:00:00.000Z' }))
      .then(
        { ...out, data: { ...out.data, basis: { ...out.data.basis, durationMinutes: 50 } } },
        unscoredEvent(3, {
          notedAt: '2026-11-19T09:00:00.000Z',
          creditedOn: '2026-11-09',
          weekStartsOn: '2026-11-09',
          durationMinutes: 50,
        }),
      );
  });

  test('[D8 F09] is changed by later revisions only, and takes nothing back when it is removed', () => {
    given(unscoredEvent(1), unscoredEvent(3))
      .when(correct({ centimiles: 300 }))
      .thenNothing();
    given(unscoredEvent(1))
      .when(correct({ durationMinutes: 40 }))
      .then(unscoredEvent(2, { durationMinutes: 40, notedAt: '2026-11-17T09:00:00.000Z' }));
    given(unscoredEvent(1)).when(takeBack).then(gone);
    given(unscoredEvent(1), scored, out, unscoredEvent(3)).when(takeBack).then(gone);
    given(unscoredEvent(1), gone)
      .when(correct({ revision: 9, centimiles: 300 }))
      .thenNothing();
  });
});
