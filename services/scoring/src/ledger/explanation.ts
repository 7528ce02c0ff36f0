import { platformNames, type Source } from '@caravan/contracts/domain/movement/sources';
import type { MilesEntry } from '@caravan/contracts/http/scores';
import type { MilesKind } from '@caravan/contracts/domain/movement/miles';
import { milesOf, minutesPerMile } from '@caravan/contracts/domain/movement/miles';
import type { WhyNotCounted } from './ledger.ts';

export type ExplainedEntry = {
  readonly kind: MilesKind;
  readonly logId: string | null;
  readonly centimiles: number;
  readonly creditedAt: Date;
  readonly creditedOn: string;
  /** By how much the date's movements changed: 0 for a correction that stays on its date. */
  readonly movements: number;
  readonly minutes: number;
  readonly activityName: string;
  readonly durationMinutes: number | null;
  readonly previousMinutes: number | null;
  readonly multiplier: number | null;
  readonly previousMultiplier: number | null;
  readonly challengeName: string | null;
  /** Why the miles of a log were taken back though it is there (D25). */
  readonly notCounted: WhyNotCounted | null;
};

export function milesEntryOf(entry: ExplainedEntry): MilesEntry {
  const { kind, logId, centimiles, creditedAt, creditedOn } = entry;
  return {
    at: creditedAt.toISOString(),
    on: creditedOn,
    kind,
    miles: milesOf(centimiles),
    ...(logId !== null && { logId }),
    explanation: explain(entry),
  };
}

function explain(entry: ExplainedEntry): string {
  const challenge = entry.challengeName ?? 'a challenge of that week';
  switch (entry.kind) {
    case 'log':
      return explainLog(entry);
    case 'correction':
      return explainCorrection(entry);
    case 'removal':
      return `Removed: ${signedMiles(entry.centimiles)}`;
    case 'weekly-bonus':
      return `Weekly challenge: ${challenge}`;
    case 'weekly-bonus-withdrawn':
      return `Weekly challenge no longer reached: ${challenge}: ${signedMiles(entry.centimiles)}`;
  }
}

function explainLog({ minutes, multiplier, activityName, centimiles }: ExplainedEntry): string {
  const what = multiplier === null || multiplier === 1 ? `${minutesIn(minutes)} of ${activityName}` : 'Bonus challenge';
  return `${what}: ${explainMiles(minutes, multiplier)} = ${milesIn(centimiles)}`;
}

function explainCorrection(entry: ExplainedEntry): string {
  const { movements, minutes, centimiles, multiplier, previousMultiplier } = entry;
  const now = entry.durationMinutes ?? 0;
  const before = entry.previousMinutes ?? 0;
  if (movements === -1 && multiplier === 0) return `${outOfScore(entry.notCounted)}: ${signedMiles(centimiles)}`;
  if (movements === -1) return `Moved to another day: ${signedMiles(centimiles)}`;
  if (movements === 1) return `Moved from another day: ${explainMiles(minutes, multiplier)} = ${milesIn(centimiles)}`;
  const change = now === before ? '' : ` from ${before} to ${minutesIn(now)}`;
  return multiplier === previousMultiplier
    ? `Corrected${change}: ${signedMiles(centimiles)}`
    : `Corrected${change}, bonus challenge no longer completed: ${signedMiles(centimiles)}`;
}

function outOfScore(notCounted: WhyNotCounted | null): string {
  if (notCounted === null) return 'No longer scored';
  if (notCounted === 'by-choice') return 'Not counted, as you chose';
  return `Not counted, because the same workout already counts from ${sourceNames[notCounted]}`;
}

const sourceNames: Readonly<Record<Source, string>> = { ...platformNames, timer: 'the timer', manual: 'your own log' };

function explainMiles(minutes: number, multiplier: number | null): string {
  const times = multiplier === null || multiplier === 1 ? '' : ` × ${multiplier}`;
  return `${minutes} ÷ ${minutesPerMile}${times}`;
}

const minutesIn = (minutes: number): string => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;

const milesIn = (centimiles: number): string =>
  `${milesOf(Math.abs(centimiles))} ${Math.abs(centimiles) === 100 ? 'mile' : 'miles'}`;

function signedMiles(centimiles: number): string {
  if (centimiles === 0) return milesIn(centimiles);
  return `${centimiles < 0 ? '−' : '+'}${milesIn(centimiles)}`;
}
