import type { z } from 'zod';

export type JobDefinition<Data extends z.ZodType = z.ZodType> = {
  /** `<service>.<what-it-does>`. */
  readonly name: string;
  readonly data: Data;
  readonly attempts: number;
  /** Doubles with each further attempt. */
  readonly backoffSeconds: number;
  readonly concurrency: number;
  /** How long a finished job's key keeps the same job from running again. */
  readonly rememberedSeconds: number;
  readonly everySeconds?: number;
  /** Dependencies by name, beside PostgreSQL and Redis: once one of them answers again, what waits is retried at once. */
  readonly needs?: readonly string[];
  /** How long an enqueued job may wait or run without any success before it counts as late. */
  readonly lateAfterSeconds?: number;
  /**
   * The repeated job that finds what is due in PostgreSQL and does or enqueues it again: Redis may lose a job. Null in
   * tests: nothing is lost with it.
   */
  readonly remadeBy?: string | null;
};

const alwaysNeeded: readonly string[] = ['postgres', 'redis'];

export const isNeededBy = (dependency: string, { needs = [] }: JobDefinition): boolean =>
  alwaysNeeded.includes(dependency) || needs.includes(dependency);

const defaultLateAfterSeconds = 300;

/** A repeated job may miss one run. */
export const lateAfterSecondsOf = ({ everySeconds, lateAfterSeconds }: JobDefinition): number =>
  everySeconds === undefined ? (lateAfterSeconds ?? defaultLateAfterSeconds) : 2 * everySeconds + 60;

type Recurrence = { readonly everySeconds: number } | { readonly remadeBy: string | null };

export function defineJob<Data extends z.ZodType>(
  job: Pick<JobDefinition<Data>, 'name' | 'data'> & Partial<JobDefinition<Data>> & Recurrence,
): JobDefinition<Data> {
  return { attempts: 8, backoffSeconds: 2, concurrency: 4, rememberedSeconds: 24 * 3600, ...job };
}

export function jobMismatches(declared: readonly JobDefinition[], handled: readonly JobDefinition[]): string[] {
  const count = (list: readonly JobDefinition[], name: string) => list.filter((job) => job.name === name).length;
  const isRepeated = (name: string) => declared.some((job) => job.name === name && job.everySeconds !== undefined);
  const lost = declared.flatMap(({ name, remadeBy }) =>
    remadeBy === undefined || remadeBy === null || isRepeated(remadeBy)
      ? []
      : [`Job ${name} would be made again by ${remadeBy}, which is no repeated job here`],
  );
  const names = [...new Set([...declared, ...handled].map(({ name }) => name))];
  const mismatched = names.flatMap((name) => {
    const declarations = count(declared, name);
    const handlers = count(handled, name);
    if (declarations === 1 && handlers === 1) return [];
    if (declarations === 0) return [`Job ${name} has a handler but is not declared`];
    if (declarations > 1) return [`Job ${name} is declared ${declarations} times`];
    return [`Job ${name} has ${handlers === 0 ? 'no handler' : `${handlers} handlers`}`];
  });
  return [...mismatched, ...lost];
}

const failedAreKeptSeconds = 14 * 24 * 3_600;

export const bullOptionsOf = (job: JobDefinition) => ({
  attempts: job.attempts,
  backoff: { type: 'exponential', delay: job.backoffSeconds * 1_000 },
  removeOnComplete: { age: job.rememberedSeconds },
  removeOnFail: { age: failedAreKeptSeconds },
});
