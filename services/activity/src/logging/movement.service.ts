import { randomUUIDv7 } from 'node:crypto';
import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import type { CorrectLogRequest, LogAnswer, LogRequest, OwnLog, SameWorkout } from '@caravan/contracts/http/movement';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { isSameText } from '@caravan/contracts/domain/text/text-key';
import { allSettled } from '@caravan/event-store/core/all-settled';
import { coalesce } from '@caravan/event-store/postgres/coalesce';
import { selectList } from '@caravan/event-store/postgres/table';
import type { PersonUnit, StreamKind, Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import type { KeptPhoto } from '@caravan/service-kit/storage/photo-address';
import { isLate } from '@caravan/service-kit/telemetry/request-context';
import { evaluateBonus } from '../bonus-window/index.ts';
import type { BonusEvaluation, BonusRefusal, BonusUse } from '../bonus-window/index.ts';
import { attachPhoto, discardPhotoOf, keptPhotoSql } from '../photos/index.ts';
import { originOf } from './imported.ts';
import { bonusUsesProjection, movementProjection } from './movement.projection.ts';
import { activityNameOf, movement, startOf } from './movement.ts';
import type { CorrectMovement, LogMovement, MovementCommand, Reach } from './movement.ts';
import type { LoggedMovement, Movement, MovementEvent, NotCounted } from './movement-events.ts';
import { movementPublicEvents } from './public-events.ts';
import { namedWorkout, recordingOfLog, type StoredRecording } from './recordings.query.ts';
import { recount, type Recount, wordOn } from './recount.query.ts';
import { areSameTexts, correctedTexts, details, hasOwnTexts, type MovementTexts, noDetails, textsOf } from './texts.ts';
import { keepTexts, writeTexts } from './texts.store.ts';

export const movementStream: StreamKind<Movement, MovementCommand, MovementEvent, MovementTexts> = {
  decider: movement,
  projections: [movementProjection, bonusUsesProjection],
  publicEvents: movementPublicEvents,
};

/** Throws `Rejected` by the rules, and unavailable before this service has heard of the member. */
export async function logMovement(unit: PersonUnit, body: LogRequest, reach: Reach): Promise<LogAnswer> {
  const logId = randomUUIDv7();
  const recording = recordingOfRequest(body, { id: logId, reach, at: unit.meta.at });
  const member = await loggingMember(unit);
  const beside = await recount(unit, [{ before: null, after: recording }]);
  const notCounted = beside.notCounted(logId);
  const { bonus, refusal } = await bonusFor(unit, body, notCounted);
  const ids = { logId, userId: unit.meta.key.id, bonus, notCounted, reach };
  const photo = body.photoPath ? await attachPhoto(unit, ids.logId, body.photoPath) : null;
  const texts = { ...noDetails, ...textsOf(body), photo };
  const command = commandOf(body, member, ids);
  await countOthers(unit, beside.ended);
  const [, { events }, sameAs] = await Promise.all([
    hasOwnTexts(texts) && unit.write(...keepTexts([{ ...ids, orgId: unit.meta.orgId, texts }])),
    unit.create(movementStream, ids.logId, command, texts),
    notCounted?.sameAs ? namedWorkout(unit, notCounted.sameAs.logId) : null,
  ]);
  await countOthers(unit, beside.begun);
  const [logged] = events;
  if (logged?.type !== 'MovementLogged') throw new Error('A log under a new id is never logged already');
  const answer = answerOf(logged, member, refusal);
  return sameAs ? { ...answer, sameAs } : answer;
}

/** A log that does not count completes no bonus challenge. */
async function bonusFor(unit: PersonUnit, body: LogRequest, notCounted: NotCounted | null): Promise<BonusEvaluation> {
  if (!body.bonusChallengeId) return {};
  return notCounted ? { refusal: 'bonus/same-workout' } : evaluateBonus(unit, body);
}

/** Throws `Rejected`: not-found for a log that is not theirs, invalid by the rules. */
export async function correctMovement(unit: PersonUnit, logId: string, body: CorrectLogRequest): Promise<KeptLog> {
  const userId = unit.meta.key.id;
  await loggingMember(unit);
  const [before, recording] = await Promise.all([textsOfLog(unit, logId), recordingOfLog(unit, logId)]);
  if (!recording) throw notThere();
  const override = body.counts === undefined ? undefined : await wordOn(unit, recording, body.counts);
  const photo = await correctedPhoto(unit, logId, body, before.photo);
  const after = { ...before, ...correctedTexts(body, before), photo };
  const command = { ...correctionOf(body, { userId, before, after }), override };
  await unit.handle(movementStream, logId, command, after);
  if (!areSameTexts(before, after)) await changeTexts(unit, logId, after);
  const log = await countAnew(unit, logId, recording);
  if (!log) throw new Error('A log that was corrected is there');
  return keptLogOf(log, after, log.notCounted?.sameAs ? await namedWorkout(unit, log.notCounted.sameAs.logId) : null);
}

/** With what was typed about it. Throws `Rejected` like a correction. */
export async function removeMovement(unit: PersonUnit, logId: string): Promise<void> {
  await loggingMember(unit);
  const [texts, recording] = await Promise.all([textsOfLog(unit, logId), recordingOfLog(unit, logId)]);
  await unit.handle(movementStream, logId, { type: 'RemoveMovement', userId: unit.meta.key.id }, texts);
  await changeTexts(unit, logId, null);
  await discardPhotoOf(unit, logId);
  await countAnew(unit, logId, recording);
}

/** After a log was changed: what it counts as, and what the others of the same workout do (D25). */
async function countAnew(
  unit: PersonUnit,
  logId: string,
  before: StoredRecording | undefined,
): Promise<LoggedMovement | undefined> {
  const after = (await recordingOfLog(unit, logId)) ?? null;
  const beside = await recount(unit, [{ before: before ?? null, after }]);
  await countOthers(unit, beside.ended);
  const own = after ? [{ logId, notCounted: beside.notCounted(logId) }] : [];
  const [log] = await countOthers(unit, own);
  await countOthers(unit, beside.begun);
  return log;
}

/** Writes down whether logs count; answers them as they are then. */
export async function countOthers(unit: PersonUnit, others: Recount['ended']): Promise<LoggedMovement[]> {
  const userId = unit.meta.key.id;
  const handled = await allSettled(
    others.map(async ({ logId, notCounted }) => {
      const texts = await textsOfLog(unit, logId);
      return unit.handle(movementStream, logId, { type: 'CountMovement', userId, notCounted }, texts);
    }),
  );
  return handled.flatMap(({ state }) => (state.is === 'live' ? [state.log] : []));
}

/** Null takes it away, another one takes its place. Throws `Rejected` when it is no unused one of one's own. */
async function correctedPhoto(
  unit: PersonUnit,
  logId: string,
  { photoPath }: CorrectLogRequest,
  before: KeptPhoto | null,
): Promise<KeptPhoto | null> {
  if (photoPath === undefined || photoPath === before?.objectPath) return before;
  if (before) await discardPhotoOf(unit, logId);
  return photoPath ? attachPhoto(unit, logId, photoPath) : null;
}

export type LoggingMember = {
  readonly teamId: string;
  readonly timeZone: string;
  /** Hundredths of a mile of all logs before this one. */
  readonly centimiles: number;
};

/** Locked until the unit ends. Throws `Rejected` (unavailable) before the member's latest change is known. */
async function loggingMember({ tx, meta }: PersonUnit): Promise<LoggingMember> {
  if (isLate('identity')) throw notYet();
  const member = await coalesce(tx, loggingMembers, { orgId: meta.orgId, userId: meta.key.id });
  if (!member) throw notYet();
  return member;
}

type Who = { readonly orgId: string; readonly userId: string };

async function loggingMembers(tx: Tx, all: readonly Who[]): Promise<(LoggingMember | undefined)[]> {
  const { rows } = await tx.query<LoggingMember & { userId: string }>(
    `select user_id, team_id, time_zone, centimiles from logging_members($1, $2)`,
    [all.map(({ orgId }) => orgId), all.map(({ userId }) => userId)],
  );
  const members = new Map(rows.map(({ userId, ...member }) => [userId, member]));
  return all.map(({ userId }) => members.get(userId));
}

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}

const changeTexts = ({ tx, meta }: PersonUnit, logId: string, texts: MovementTexts | null) =>
  writeTexts(tx, [{ orgId: meta.orgId, logId, userId: meta.key.id, texts }]);

async function textsOfLog({ tx, meta }: PersonUnit, logId: string): Promise<MovementTexts> {
  const { rows } = await tx.query<MovementTexts>(
    `select coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as activity_type,
       ${selectList(details, 't')}, case when p.photo_id is not null then ${keptPhotoSql} end as photo
     from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
     left join photos p on p.org_id = l.org_id and p.log_id = l.log_id
     where l.org_id = $1 and l.log_id = $2 and l.user_id = $3`,
    [meta.orgId, logId, meta.key.id],
  );
  if (!rows[0]) throw notThere();
  return rows[0];
}

const notThere = () => new Rejected('movement/not-found', 'not-found', 'This log does not exist');

/** The request as the rule of the same workout looks at it. Throws `Rejected` for a start that no log may have. */
function recordingOfRequest(
  { startedAt, durationMinutes, source }: LogRequest,
  { id, reach, at }: { readonly id: string; readonly reach: Reach; readonly at: Date },
): Recording {
  const claimed = startedAt === undefined ? undefined : new Date(startedAt);
  return {
    id,
    source,
    durationMinutes,
    startedAt: startOf({ startedAt: claimed, durationMinutes, source, reach }, at),
    audience: 'organisation',
    isScored: true,
    creditableAt: at,
    override: null,
  };
}

export function commandOf(
  { activityType, durationMinutes, source, startedAt, distanceMiles }: LogRequest,
  { teamId, timeZone }: LoggingMember,
  ids: { logId: string; userId: string; bonus: BonusUse | undefined; notCounted: NotCounted | null; reach: Reach },
): LogMovement {
  return {
    type: 'LogMovement',
    ...ids,
    teamId,
    timeZone,
    activity: activityNameOf(activityType),
    durationMinutes,
    source,
    startedAt: startedAt === undefined ? undefined : new Date(startedAt),
    coveredMiles: distanceMiles,
  };
}

/** A bonus challenge that does not apply never costs the log (D16, D40). */
export function answerOf(
  { data }: Extract<MovementEvent, { type: 'MovementLogged' }>,
  before: LoggingMember,
  bonusReason: BonusRefusal | undefined,
): LogAnswer {
  return {
    id: data.logId,
    milesEarned: milesOf(data.centimiles),
    multiplier: data.multiplier,
    totalMiles: milesOf(before.centimiles + data.centimiles),
    bonusApplied: data.bonus !== undefined,
    ...(bonusReason && { bonusReason }),
  };
}

export function correctionOf(
  { activityType, durationMinutes, startedAt, distanceMiles }: CorrectLogRequest,
  { userId, before, after }: { userId: string; before: MovementTexts; after: MovementTexts },
): CorrectMovement {
  return {
    type: 'CorrectMovement',
    userId,
    activity: activityType === undefined ? undefined : activityNameOf(activityType),
    isOtherActivity: !isSameText(before.activityType, after.activityType),
    durationMinutes,
    startedAt: startedAt === undefined ? undefined : new Date(startedAt),
    coveredMiles: distanceMiles,
    // How hard it was is told to nobody, so no reader hears that it changed.
    changesTexts:
      before.activityType !== after.activityType ||
      before.caption !== after.caption ||
      before.location !== after.location ||
      before.photo?.objectPath !== after.photo?.objectPath,
  };
}

/** Its photo has no address: those are signed when somebody reads it. */
export type KeptLog = Omit<OwnLog, 'photoPath' | 'photoUrl' | 'photo'> & { readonly photo: KeptPhoto | null };

export function keptLogOf(
  log: LoggedMovement,
  { activityType, ...texts }: MovementTexts,
  sameAs: SameWorkout | null = null,
): KeptLog {
  const { logId, durationMinutes, centimiles, multiplier, source, startedAt, loggedOn, loggedAt } = log;
  return {
    id: logId,
    activityType,
    durationMinutes,
    distanceMiles: milesOf(centimiles),
    multiplier,
    ...originOf(source),
    audience: log.import?.audience ?? 'organisation',
    isCounted: log.notCounted === undefined,
    countsByWord: log.override ?? null,
    sameAs,
    ...texts,
    startedAt,
    loggedOn,
    createdAt: loggedAt,
  };
}
