import type { Strategy } from './strategies.ts';

type Asked = { readonly strategy: Strategy; readonly activityType: string; readonly targetDurationMinutes: number };
type Words = { readonly title: string; readonly description: string };

const words: Readonly<Record<Strategy, (asked: Asked) => Words>> = {
  momentum_boost: ({ activityType, targetDurationMinutes }) => ({
    title: `${activityType} Boost`,
    description: `Log at least ${targetDurationMinutes} minutes of ${activityType} and earn double miles.`,
  }),
  competitive: ({ activityType, targetDurationMinutes }) => ({
    title: 'Neck and Neck',
    description: `Two teams are close! ${targetDurationMinutes} minutes of ${activityType} earn yours double miles.`,
  }),
  consistency: ({ activityType, targetDurationMinutes }) => ({
    title: 'Keep It Going',
    description: `Save your streak: ${targetDurationMinutes} minutes of ${activityType} earn double miles today.`,
  }),
};

/** What people read of a bonus challenge. */
export function wordsOf(asked: Asked): Words {
  return words[asked.strategy](asked);
}
