import type { CorrectLogData } from '../../lib/api/generated/types.gen.ts';
import type { Log } from './api.ts';

/** The difference between a form and the log that the server saved of it, as a correction (D8). */
export function changesSince(saved: Log, now: Log): CorrectLogData['body'] {
  const isOtherStart = now.source === 'manual' && now.startedAt !== undefined && now.startedAt !== saved.startedAt;
  return {
    ...(now.activityType !== saved.activityType && { activityType: now.activityType }),
    ...(now.durationMinutes !== saved.durationMinutes && { durationMinutes: now.durationMinutes }),
    ...(isOtherStart && { startedAt: now.startedAt }),
    ...(now.photoPrompt !== saved.photoPrompt && { photoPrompt: now.photoPrompt ?? null }),
    ...(now.photoPath !== saved.photoPath && { photoPath: now.photoPath ?? null }),
    ...(now.perceivedEffort !== saved.perceivedEffort && { perceivedEffort: now.perceivedEffort ?? null }),
  };
}
