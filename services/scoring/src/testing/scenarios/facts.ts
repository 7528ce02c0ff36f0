import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { centimilesOf } from '@caravan/contracts/domain/movement/miles';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import type { CorrectsStep, LogsStep } from './scenario.ts';

type Ids = { readonly userId: string; readonly teamId: string; readonly logId: string };
export type LogData = ReturnType<typeof loggedData>;

const hourMilliseconds = 3_600_000;

/** What activity tells of a log. */
export function loggedData(
  step: LogsStep,
  { userId, teamId, logId }: Ids,
  about: { zone: string; challengeId?: string },
) {
  const { instant: startedAt } = step.startedAt;
  const ended = new Date(startedAt.getTime() + step.minutes * 60_000);
  return movementFact({
    logId,
    userId,
    teamId,
    activityType: step.activity,
    durationMinutes: step.minutes,
    multiplier: step.times,
    centimiles: centimilesOf(step.minutes, step.times),
    startedAt: startedAt.toISOString(),
    loggedAt: (step.loggedAt?.instant ?? ended).toISOString(),
    loggedOn: localDateOf(startedAt, about.zone),
    timeZone: about.zone,
    ...(about.challengeId !== undefined && { bonusChallengeId: about.challengeId }),
  });
}

/** What activity tells of its correction; `revision` counts from 2. */
export function correctedData(step: CorrectsStep, before: LogData, revision: number) {
  const { bonusChallengeId, ...log } = before;
  const durationMinutes = step.minutes ?? log.durationMinutes;
  const multiplier = step.times ?? log.multiplier;
  const startedAt = step.startedAt?.instant ?? new Date(log.startedAt);
  return {
    ...log,
    durationMinutes,
    multiplier,
    centimiles: centimilesOf(durationMinutes, multiplier),
    ...(multiplier > 1 && bonusChallengeId !== undefined && { bonusChallengeId }),
    activityType: step.activity ?? log.activityType,
    startedAt: startedAt.toISOString(),
    loggedOn: localDateOf(startedAt, log.timeZone),
    revision,
    correctedAt: after(log.loggedAt, revision),
    previous: { durationMinutes: log.durationMinutes, centimiles: log.centimiles, loggedOn: log.loggedOn },
  };
}

/** What activity tells of a log that was taken back. */
export function removedData({
  logId,
  userId,
  teamId,
  durationMinutes,
  centimiles,
  startedAt,
  loggedOn,
  loggedAt,
}: LogData) {
  const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
  return { ...figures, removedAt: after(loggedAt, 20) };
}

const after = (loggedAt: string, hours: number) =>
  new Date(Date.parse(loggedAt) + hours * hourMilliseconds).toISOString();
