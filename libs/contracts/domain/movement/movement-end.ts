/** Never later than it was logged: feeds tell when somebody moved, not when it was typed in. */
export function movementEndOf(log: { startedAt: string; durationMinutes: number; loggedAt: string }): string {
  const ended = Date.parse(log.startedAt) + log.durationMinutes * 60_000;
  return new Date(Math.min(ended, Date.parse(log.loggedAt))).toISOString();
}

/** When an imported movement began; a platform's clock may be ahead of ours. */
export const importedStartOf = (startedAt: Date, loggedAt: Date): Date =>
  new Date(Math.min(startedAt.getTime(), loggedAt.getTime()));
