/**
 * When a movement ended (ISO instant): `durationMinutes` after its start, but never later than it was logged. Feeds tell
 * people when somebody moved, not when it was typed in.
 */
export function movementEndOf(log: { startedAt: string; durationMinutes: number; loggedAt: string }): string {
  const ended = Date.parse(log.startedAt) + log.durationMinutes * 60_000;
  return new Date(Math.min(ended, Date.parse(log.loggedAt))).toISOString();
}
