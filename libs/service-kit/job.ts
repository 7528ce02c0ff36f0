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
};

export function defineJob<Data extends z.ZodType>(
  job: Pick<JobDefinition<Data>, 'name' | 'data'> & Partial<JobDefinition<Data>>,
): JobDefinition<Data> {
  return { attempts: 8, backoffSeconds: 2, concurrency: 4, rememberedSeconds: 24 * 3600, ...job };
}

export function jobMismatches(declared: readonly JobDefinition[], handled: readonly JobDefinition[]): string[] {
  const count = (list: readonly JobDefinition[], name: string) => list.filter((job) => job.name === name).length;
  const names = [...new Set([...declared, ...handled].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [declarations, handlers] = [count(declared, name), count(handled, name)];
    if (declarations === 1 && handlers === 1) return [];
    if (declarations === 0) return [`Job ${name} has a handler but is not declared`];
    if (declarations > 1) return [`Job ${name} is declared ${declarations} times`];
    return [`Job ${name} has ${handlers === 0 ? 'no handler' : `${handlers} handlers`}`];
  });
}
