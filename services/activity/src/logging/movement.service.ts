import { randomUUIDv7 } from 'node:crypto';
import { forgottenActivityName } from '@caravan/contracts/activities';
import type { CorrectLogRequest, LogAnswer, LogRequest, OwnLog } from '@caravan/contracts/http/movement';
import { milesOf } from '@caravan/contracts/miles';
import { coalesce } from '@caravan/event-store/coalesce';
import type { PersonUnit, StreamKind, Tx } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { KeptPhoto } from '@caravan/service-kit/photo-address';
import { isLate } from '@caravan/service-kit/request-context';
import { evaluateBonus } from '../bonus-window/index.ts';
import type { BonusRefusal, BonusUse } from '../bonus-window/index.ts';
import { attachPhoto, discardPhotoOf, keptPhotoSql } from '../photos/index.ts';
import { originOf } from './imported.ts';
import { bonusUsesProjection, movementProjection } from './movement.projection.ts';
import { activityNameOf, movement } from './movement.ts';
import type { CorrectMovement, LogMovement, MovementCommand, Reach } from './movement.ts';
import type { LoggedMovement, Movement, MovementEvent } from './movement-events.ts';
import { movementPublicEvents } from './public-events.ts';
import { nothingMeasured } from './public-events.ts';
import type { Measured, MovementTexts } from './public-events.ts';
import { hasOwnTexts, keepTexts, writeTexts } from './texts.store.ts';

export const movementStream: StreamKind<Movement, MovementCommand, MovementEvent, MovementTexts> = {
  decider: movement,
  projections: [movementProjection, bonusUsesProjection],
  publicEvents: movementPublicEvents,
};

/** Throws `Rejected` by the rules, and unavailable before this service has heard of the member. */
export async function logMovement(unit: PersonUnit, body: LogRequest, reach: Reach): Promise<LogAnswer> {
  const member = await loggingMember(unit);
  const { bonus, refusal } = body.bonusChallengeId ? await evaluateBonus(unit, body) : {};
  const ids = { logId: randomUUIDv7(), userId: unit.meta.key.id, bonus, reach };
  const photo = body.photoPath ? await attachPhoto(unit, ids.logId, body.photoPath) : null;
  const texts = { ...textsOf(body), ...nothingMeasured, photo };
  const command = commandOf(body, member, ids);
  const [, { events }] = await Promise.all([
    hasOwnTexts(texts) && unit.write(...keepTexts([{ ...ids, orgId: unit.meta.orgId, texts }])),
    unit.create(movementStream, ids.logId, command, texts),
  ]);
  const [logged] = events;
  if (logged?.type !== 'MovementLogged') throw new Error('A log under a new id is never logged already');
  return answerOf(logged, member, refusal);
}

/** Throws `Rejected`: not-found for a log that is not theirs, invalid by the rules. */
export async function correctMovement(unit: PersonUnit, logId: string, body: CorrectLogRequest): Promise<KeptLog> {
  const userId = unit.meta.key.id;
  await loggingMember(unit);
  const before = await textsOfLog(unit, logId);
  const photo = await correctedPhoto(unit, logId, body, before.photo);
  const after = { ...before, ...correctedTexts(body, before), photo };
  const command = correctionOf(body, { userId, before, after });
  const { state } = await unit.handle(movementStream, logId, command, after);
  if (state.is !== 'live') throw new Error('A log that was corrected is there');
  if (command.changesTexts) await changeTexts(unit, logId, after);
  return keptLogOf(state.log, after);
}

/** With what was typed about it. Throws `Rejected` like a correction. */
export async function removeMovement(unit: PersonUnit, logId: string): Promise<void> {
  await loggingMember(unit);
  const texts = await textsOfLog(unit, logId);
  await unit.handle(movementStream, logId, { type: 'RemoveMovement', userId: unit.meta.key.id }, texts);
  await changeTexts(unit, logId, null);
  await discardPhotoOf(unit, logId);
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
    `select user_id as "userId", team_id as "teamId", time_zone as "timeZone", centimiles from logging_members($1, $2)`,
    [all.map(({ orgId }) => orgId), all.map(({ userId }) => userId)],
  );
  const members = new Map(rows.map(({ userId, ...member }) => [userId, member]));
  return all.map(({ userId }) => members.get(userId));
}

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('movement/member-not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}

const changeTexts = ({ tx, meta }: PersonUnit, logId: string, texts: MovementTexts | null) =>
  writeTexts(tx, [{ orgId: meta.orgId, logId, userId: meta.key.id, texts }]);

async function textsOfLog({ tx, meta }: PersonUnit, logId: string): Promise<MovementTexts> {
  const { rows } = await tx.query<MovementTexts>(
    `select coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as "activityType",
       t.caption, t.location, t.heart_rate as "heartRate", t.calories, case when p.photo_id is not null then ${keptPhotoSql} end as photo
     from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
     left join photos p on p.org_id = l.org_id and p.log_id = l.log_id
     where l.org_id = $1 and l.log_id = $2 and l.user_id = $3`,
    [meta.orgId, logId, meta.key.id],
  );
  if (!rows[0]) throw new Rejected('movement/not-found', 'not-found', 'This log does not exist');
  return rows[0];
}

export function commandOf(
  { activityType, durationMinutes, source, startedAt, distanceMiles }: LogRequest,
  { teamId, timeZone }: LoggingMember,
  ids: { logId: string; userId: string; bonus: BonusUse | undefined; reach: Reach },
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

type TypedTexts = Omit<MovementTexts, 'photo' | keyof Measured>;

export function textsOf({ activityType, photoPrompt, location }: LogRequest): TypedTexts {
  return { activityType, caption: photoPrompt || null, location: location || null };
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

export function correctedTexts(
  { activityType, photoPrompt, location }: CorrectLogRequest,
  before: TypedTexts,
): TypedTexts {
  const text = (said: string | null | undefined, known: string | null) => (said === undefined ? known : said || null);
  return {
    activityType: activityType ?? before.activityType,
    caption: text(photoPrompt, before.caption),
    location: text(location, before.location),
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
    isOtherActivity: before.activityType.toLowerCase() !== after.activityType.toLowerCase(),
    durationMinutes,
    startedAt: startedAt === undefined ? undefined : new Date(startedAt),
    coveredMiles: distanceMiles,
    changesTexts:
      before.activityType !== after.activityType ||
      before.caption !== after.caption ||
      before.location !== after.location ||
      before.photo?.objectPath !== after.photo?.objectPath,
  };
}

/** Its photo has no address: those are signed when somebody reads it. */
export type KeptLog = Omit<OwnLog, 'photoPath' | 'photoUrl' | 'photo'> & { readonly photo?: KeptPhoto | null };

export function keptLogOf(log: LoggedMovement, { activityType, ...texts }: MovementTexts): KeptLog {
  const { logId, durationMinutes, centimiles, multiplier, source, startedAt, loggedOn, loggedAt } = log;
  return {
    id: logId,
    ...{ activityType, durationMinutes, distanceMiles: milesOf(centimiles), multiplier },
    ...{ ...originOf(source), audience: log.import?.audience ?? 'organisation' },
    ...{ ...texts, startedAt, loggedOn, createdAt: loggedAt },
  };
}
