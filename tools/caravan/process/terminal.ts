import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';

const startedAt = performance.now();
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function print(line: string): void {
  process.stdout.write(`${seconds(performance.now() - startedAt).padStart(7)}  ${line}\n`);
}

export async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  const result = await work();
  print(`${what} (${seconds(performance.now() - from)})`);
  return result;
}

/** Something that a person must mend, and how. Ends the launcher with exit code 1. */
export class UserError extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
    this.name = 'UserError';
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Recognised by its name: the launcher loads the module that throws it only when it migrates. */
export const isUnreleasedData = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'UnreleasedData';

export function asUserError(error: unknown): UserError {
  if (error instanceof UserError) return error;
  if (isUnreleasedData(error))
    return new UserError(
      error.message,
      'Back it up with `./caravan backup <folder>` under the version that made it, then run `./caravan reset`.',
    );
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'MigrationFailed') {
    return new UserError(message, 'Mend the migration; data of a local run may be dropped with `./caravan reset`.');
  }
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new UserError(
        `The disk is full: ${message}`,
        'Free some space (`./caravan reset` drops all data), then start again.',
      );
    case 'EACCES':
    case 'EPERM':
      return new UserError(`Not permitted: ${message}`, 'Check who owns the folder .caravan, then start again.');
    case 'EMFILE':
      return new UserError('Too many open files.', 'Raise the limit with `ulimit -n 4096`, then start again.');
    default:
      return new UserError(
        error instanceof Error ? (error.stack ?? message) : message,
        'This is unexpected; the logs are in .caravan/log.',
      );
  }
}

export function serviceNamed(name: string | undefined): ServiceName {
  const service = serviceNames.find((each) => each === name);
  if (service !== undefined) return service;
  throw new UserError(`There is no service ${name ?? '(none named)'}.`, `There are: ${serviceNames.join(', ')}`);
}

export function nameAndRest(words: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first] = words;
  const isName = first !== undefined && !first.startsWith('-');
  return { name: isName ? first : undefined, rest: words.slice(isName ? 1 : 0) };
}
