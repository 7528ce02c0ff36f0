import { presetActivities } from '@caravan/contracts/domain/movement/activities';

export const strategies = ['momentum_boost', 'competitive', 'consistency'] as const;
export type Strategy = (typeof strategies)[number];
export type Activity = (typeof presetActivities)[number]['name'];

export type Figures = {
  readonly centimilesByActivity: Readonly<Record<string, number>>;
  readonly centimilesLately: number;
  readonly centimilesBefore: number;
  readonly teamCentimiles: readonly number[];
  /** Of three days and more; at risk are those that reach yesterday only. */
  readonly streaks: { readonly alive: number; readonly atRisk: number };
  readonly lastStrategy: Strategy | null;
};

export type Proposal = {
  readonly strategy: Strategy;
  readonly activityType: Activity;
  readonly targetDurationMinutes: number;
};

/** Close: the second has at least nine tenths of the first (D15). */
const closeShare = 0.9;

type Rule = { readonly fits: (figures: Figures) => boolean; readonly propose: (figures: Figures) => Proposal };

const rules: Readonly<Record<Strategy, Rule>> = {
  momentum_boost: {
    fits: ({ centimilesLately, centimilesBefore }) => centimilesLately < centimilesBefore,
    propose: ({ centimilesByActivity }) => {
      const [activityType] = byMiles(centimilesByActivity);
      return { strategy: 'momentum_boost', activityType, targetDurationMinutes: 20 };
    },
  },
  competitive: {
    fits: ({ teamCentimiles }) => {
      const ranked = teamCentimiles.toSorted((a, b) => b - a);
      return ranked.some((centimiles, index) => {
        const ahead = ranked[index - 1];
        return ahead !== undefined && centimiles > 0 && centimiles >= ahead * closeShare;
      });
    },
    propose: ({ centimilesByActivity }) => {
      const activityType = byMiles(centimilesByActivity).at(-1) ?? 'Walking';
      return { strategy: 'competitive', activityType, targetDurationMinutes: 30 };
    },
  },
  consistency: {
    fits: ({ streaks: { alive, atRisk } }) => atRisk > 0 && atRisk * 2 >= alive,
    propose: () => ({ strategy: 'consistency', activityType: 'Walking', targetDurationMinutes: 15 }),
  },
};

/** The first strategy whose condition holds, another one than last time where two hold (D15). */
export function proposalFor(figures: Figures): Proposal {
  const fitting = strategies.filter((strategy) => rules[strategy].fits(figures));
  const chosen = fitting.find((strategy) => strategy !== figures.lastStrategy) ?? fitting[0] ?? 'momentum_boost';
  return rules[chosen].propose(figures);
}

function byMiles(centimiles: Figures['centimilesByActivity']): [Activity, ...Activity[]] {
  const [first, ...rest] = presetActivities
    .map(({ name }) => name)
    .toSorted((a, b) => (centimiles[a] ?? 0) - (centimiles[b] ?? 0));
  return [first ?? 'Walking', ...rest];
}

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

export function wordsOf(asked: Asked): Words {
  return words[asked.strategy](asked);
}
