/** Something that a person must mend: what is wrong, and what to do about it. Ends the launcher with exit code 1. */
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

/** Turns what the machine said into what a person can do, and anything else into its own words. */
export function asUserError(error: unknown): UserError {
  if (error instanceof UserError) return error;
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
