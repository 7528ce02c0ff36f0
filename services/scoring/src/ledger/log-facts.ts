import { productActivities } from '@caravan/contracts/domain/movement/activities';
import type { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { movementEndOf } from '@caravan/contracts/domain/movement/movement-end';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { LedgerChange } from './ledger.service.ts';
import type { CorrectMiles } from './ledger.ts';
import type { MovementNews } from './recent-movements.store.ts';
import type { DayChange } from './streaks.ts';

type LogFact = PublicEventOf<typeof movementLogged>['data'];
type CorrectionFact = PublicEventOf<typeof movementCorrected>['data'];
type RemovalFact = PublicEventOf<typeof movementRemoved>['data'];

export function creditOf(log: LogFact, zones: ZoneHistory): LedgerChange {
  const { userId, teamId, loggedAt, centimiles } = log;
  return {
    command: { type: 'CreditMiles', ...movedOf(log, zones), userId, teamId, loggedAt },
    centimiles,
    days: daysOf(null, log),
    shownOn: shownDateOf(log),
  };
}

export function correctionOf(
  log: CorrectionFact,
  zones: ZoneHistory,
  entryIds: CorrectMiles['entryIds'],
): LedgerChange {
  const { revision, correctedAt, previous } = log;
  return {
    command: { type: 'CorrectMiles', ...movedOf(log, zones), revision, correctedAt, entryIds },
    centimiles: log.centimiles - previous.centimiles,
    days: daysOf(previous, log),
    shownOn: shownDateOf(log),
  };
}

export function takingBackOf(removal: RemovalFact, entryId: string): LedgerChange {
  const { logId, centimiles, removedAt } = removal;
  return {
    command: { type: 'TakeBackMiles', logId, entryId, removedAt },
    centimiles: -centimiles,
    days: daysOf(removal, null),
    shownOn: null,
  };
}

type Place = { readonly centimiles: number; readonly loggedOn: string };

/** What is not scored makes no day active (D21). */
function daysOf(before: Place | null, now: Place | null): DayChange[] {
  const [left, come] = [before, now].map((place) => (place && place.centimiles > 0 ? place.loggedOn : null));
  if (left === come) return [];
  return [
    ...(left ? [{ on: left, movements: -1 as const }] : []),
    ...(come ? [{ on: come, movements: 1 as const }] : []),
  ];
}

/** The date that colleagues may see as active because of the log; null where it is not scored or its owner's alone (D21). */
const shownDateOf = ({ audience, centimiles, loggedOn }: LogFact): string | null =>
  audience === 'organisation' && centimiles > 0 ? loggedOn : null;

export function shownOf(orgId: string, log: LogFact, revision: number): Extract<MovementNews, { revision: number }> {
  const { logId, userId, teamId, activityType, centimiles, loggedAt, audience } = log;
  return {
    is: revision === 1 ? 'logged' : 'corrected',
    orgId,
    logId,
    userId,
    teamId,
    activityType,
    centimiles,
    loggedAt,
    revision,
    audience,
    endedAt: movementEndOf(log),
  };
}

const knownActivities: ReadonlySet<string> = new Set(productActivities);

function movedOf(log: LogFact, zones: ZoneHistory) {
  const { logId, centimiles, activityType, durationMinutes, multiplier, loggedOn, startedAt, audience, notCounted } =
    log;
  // The log of events holds no word that somebody typed.
  const activity = knownActivities.has(activityType) ? activityType : 'custom';
  return {
    logId,
    centimiles,
    activity,
    durationMinutes,
    multiplier,
    creditedOn: loggedOn,
    startedAt,
    zones,
    ...(audience === 'owner' && { isOwnerOnly: true as const }),
    ...(notCounted && { notCounted: notCounted.sameAs?.source ?? ('by-choice' as const) }),
  };
}
