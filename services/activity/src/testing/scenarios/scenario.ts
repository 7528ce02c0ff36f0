import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { timeZoneSchema } from '@caravan/contracts/events/fields';
import { logAnswerSchema, ownLogSchema } from '@caravan/contracts/http/movement';
import { z } from 'zod';

// What a file of `services/activity/scenarios` may say. An unknown word is a mistake, so every object is strict.

/** A local time with its offset from UTC, such as 2026-03-29T02:30+01:00. */
const momentSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/, 'Write a local time with its offset')
  .transform((written) => new Date(written));

const bonusChallengeSchema = z.strictObject({
  activity: z.string(),
  minutes: z.number().int(),
  times: z.number(),
  opensAt: momentSchema,
  expiresAt: momentSchema,
  isOfAnotherOrganisation: z.boolean().default(false),
});

const log = { at: momentSchema, who: z.string().default('Maya') };
/** The body as a client sends it: also what is wrong with it. */
const asks = z.record(z.string(), z.unknown());
const refuses = z.string().optional();
const stepSchema = z.union([
  z.strictObject({
    ...log,
    /** What the rest of the file calls this log. */
    logs: z.string(),
    asks,
    /** The bonus challenge that the request names. */
    names: z.string().optional(),
    answer: z.strictObject(logAnswerSchema.omit({ id: true }).partial().shape).optional(),
    refuses,
  }),
  z.strictObject({
    ...log,
    corrects: z.string(),
    asks,
    answer: z.strictObject(ownLogSchema.omit({ id: true }).partial().shape).optional(),
    refuses,
  }),
  z.strictObject({ ...log, removes: z.string(), refuses }),
  z.strictObject({ ...log, travelsTo: timeZoneSchema }),
  z.strictObject({ at: momentSchema, closes: z.string() }),
]);

const scenarioSchema = z.strictObject({
  name: z.string().min(10),
  proves: z.array(z.string().regex(/^(\d\.\d+|D\d+|I\d+)$/)).min(1),
  given: z.strictObject({
    /** The time zone of Maya, who logs, and of her colleague Omar. */
    zone: timeZoneSchema,
    bonusChallenges: z.record(z.string(), bonusChallengeSchema).default({}),
  }),
  when: z.array(stepSchema).min(1),
  /** Of Maya. */
  then: z.strictObject({
    /** Miles of all logs. */
    total: z.number(),
    /** One line for each log that is there, in any order. */
    logs: z.array(z.string()),
    /** The facts that others hear, in order. */
    tells: z.array(z.enum(['MovementLogged', 'MovementCorrected', 'MovementRemoved', 'MovementForestalled'])),
  }),
});

export type Scenario = z.infer<typeof scenarioSchema> & { readonly file: string };
export type Step = z.infer<typeof stepSchema>;
export type BonusChallenge = z.infer<typeof bonusChallengeSchema>;
export type Outcome = Scenario['then'];

/** Throws what is wrong with a scenario. */
export function scenarioOf(file: string, content: unknown): Scenario {
  const parsed = scenarioSchema.safeParse(content);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  for (const step of parsed.data.when)
    if ('asks' in step && (step.answer === undefined) === (step.refuses === undefined))
      throw new Error(`${file}: each request is either answered or refused`);
  return { file, ...parsed.data };
}

/** A log as scenarios write it. */
export const inWords = ({
  loggedOn,
  activityType,
  durationMinutes,
  distanceMiles,
}: Pick<z.infer<typeof ownLogSchema>, 'loggedOn' | 'activityType' | 'durationMinutes' | 'distanceMiles'>): string =>
  `${loggedOn}: ${durationMinutes} minutes of ${activityType}, ${distanceMiles} miles`;

/** As much of an answer as is asked for. */
export const pickedFrom = (answer: object, asked: object): object =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => key in asked));

const folder = resolve(import.meta.dirname, '../../../scenarios');

export const scenarios: readonly Scenario[] = readdirSync(folder)
  .sort()
  .map((file) => scenarioOf(file, JSON.parse(readFileSync(resolve(folder, file), 'utf8'))));
