import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { localDateSchema, timeZoneSchema } from '@caravan/contracts/events/fields';
import { localTimeOf } from '@caravan/contracts/domain/time/local-days';
import { z } from 'zod';

// What a file of `services/scoring/scenarios` may say. An unknown word is a mistake, so every object is strict.

const teamSchema = z.enum(['Thunder', 'Blazers']);
const zoneSchema = timeZoneSchema;
/** A local time with its offset from UTC, such as 2026-03-29T02:30+01:00. */
const momentSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/, 'Write a local time with its offset')
  .transform((written) => ({ written, instant: new Date(written) }));
const minutesSchema = z.number().int().min(1).max(1440);
const who = z.string();

const logsSchema = z.strictObject({
  who,
  /** What the rest of the file calls this log. */
  logs: z.string(),
  minutes: minutesSchema,
  startedAt: momentSchema,
  /** Where the member is; the organisation's zone unless said otherwise. */
  in: zoneSchema.optional(),
  activity: z.string().default('Walking'),
  /** When it was logged; as soon as it ended, unless said otherwise. */
  loggedAt: momentSchema.optional(),
  /** The multiplier that activity gave it, and the bonus challenge that it completes. */
  times: z.number().default(1),
  completes: z.string().optional(),
});
const correctsSchema = z.strictObject({
  who,
  corrects: z.string(),
  minutes: minutesSchema.optional(),
  startedAt: momentSchema.optional(),
  activity: z.string().optional(),
  times: z.number().optional(),
});

const memberSchema = z.strictObject({
  /** Miles. */
  total: z.number().optional(),
  /** Every entry of the ledger in the order in which they were made, as its owner reads it. */
  entries: z.array(z.string()).optional(),
  /** By the date on which the member looks. */
  streak: z.record(localDateSchema, z.string().regex(/^\d+ days?, (lit|at-risk|frozen|out)$/)).optional(),
  /** Names of all badges, in any order. */
  badges: z.array(z.string()).optional(),
  /** Miles of weeks, by their Monday. */
  weeks: z.record(localDateSchema, z.number()).optional(),
  /** Of the week that the scenario plays in. */
  challenges: z.record(z.string(), z.strictObject({ progress: z.number(), hasBonus: z.boolean() })).optional(),
  rank: z.number().int().nullable().optional(),
});
const teamOutcomeSchema = z.strictObject({
  total: z.number().optional(),
  weeks: z.record(localDateSchema, z.number()).optional(),
  rank: z.number().int().nullable().optional(),
  journey: z
    .strictObject({ last: z.string().nullable(), next: z.string().nullable(), milesToNext: z.number() })
    .optional(),
  /** Checkpoints reached so far, in their order. */
  arrivals: z.array(z.string()).optional(),
});
const says = (outcome: object) => Object.values(outcome).some((value) => value !== undefined);
const outcomeSchema = z
  .strictObject({
    members: z.record(z.string(), memberSchema.refine(says, 'Say something of the member')).default({}),
    teams: z.partialRecord(teamSchema, teamOutcomeSchema.refine(says, 'Say something of the team')).default({}),
    /** Lines of rank, name and miles. */
    board: z.array(z.string()).optional(),
  })
  .refine(
    ({ members, teams, board }) => board !== undefined || Object.keys({ ...members, ...teams }).length > 0,
    'Say what comes of it',
  );

const stepSchema = z.union([
  logsSchema,
  correctsSchema,
  z.strictObject({ who, removes: z.string() }),
  /** All that was told of the log is told again. */
  z.strictObject({ toldAgain: z.string() }),
  z.strictObject({ who, claims: z.string(), at: momentSchema, gets: z.boolean() }),
  z.strictObject({ who, movesTo: teamSchema, at: momentSchema }),
  z.strictObject({ freezes: z.enum(['on', 'off']), at: momentSchema }),
  z.strictObject({ then: outcomeSchema }),
]);

const scenarioSchema = z.strictObject({
  name: z.string().min(10),
  proves: z.array(z.string().regex(/^(\d\.\d+|D\d+|I\d+)$/)).min(1),
  given: z.strictObject({
    /** The organisation's time zone. */
    organisation: zoneSchema,
    members: z.record(z.string(), teamSchema),
    /** Monday of the week whose challenges are meant. */
    week: localDateSchema.optional(),
    before: z.array(stepSchema).default([]),
  }),
  /** In the order in which scoring hears of it. */
  when: z.array(stepSchema).min(1),
  /** Steps of different members may come in any order; those of one member never do. */
  inAnyOrder: z.boolean().default(false),
  then: outcomeSchema,
});

export type Scenario = z.infer<typeof scenarioSchema> & { readonly file: string };
export type Step = z.infer<typeof stepSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type MemberOutcome = z.infer<typeof memberSchema>;
export type TeamOutcome = z.infer<typeof teamOutcomeSchema>;
export type LogsStep = z.infer<typeof logsSchema>;
export type CorrectsStep = z.infer<typeof correctsSchema>;

/** Throws what is wrong with a scenario. */
export function scenarioOf(file: string, content: unknown): Scenario {
  const parsed = scenarioSchema.safeParse(content);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const scenario = { file, ...parsed.data };
  const { members, organisation, before } = scenario.given;
  const steps = [...before, ...scenario.when];
  for (const step of steps) {
    if ('who' in step && !(step.who in members)) throw new Error(`${file}: nobody is called ${step.who}`);
    if ('logs' in step)
      for (const moment of [step.startedAt, step.loggedAt]) assertLocal(file, step.in ?? organisation, moment);
  }
  for (const outcome of [scenario.then, ...steps.flatMap((step) => ('then' in step ? [step.then] : []))])
    for (const name of Object.keys(outcome.members))
      if (!(name in members)) throw new Error(`${file}: nobody is called ${name}`);
  return scenario;
}

/** A time that no clock of the place shows is a slip of the pen. */
function assertLocal(file: string, timeZone: string, moment: LogsStep['loggedAt']): void {
  if (!moment) return;
  const { written, instant } = moment;
  const shown = localTimeOf(instant, timeZone);
  if (!written.startsWith(shown)) throw new Error(`${file}: clocks of ${timeZone} show ${shown}, not ${written}`);
}

/** A streak as scenarios write it. */
export const inWords = ({ days, state }: { days: number; state: string }): string =>
  `${days} ${days === 1 ? 'day' : 'days'}, ${state}`;

/** What is asked of each, answered. */
export const mapOutcome = <Asked, Seen>(
  asked: Readonly<Partial<Record<string, Asked>>>,
  see: (one: Asked, key: string) => Seen,
): Record<string, Seen> =>
  Object.fromEntries(Object.entries(asked).flatMap(([key, one]) => (one === undefined ? [] : [[key, see(one, key)]])));

const folder = resolve(import.meta.dirname, '../../../scenarios');

export const scenarios: readonly Scenario[] = readdirSync(folder)
  .sort()
  .map((file) => scenarioOf(file, JSON.parse(readFileSync(resolve(folder, file), 'utf8'))));
