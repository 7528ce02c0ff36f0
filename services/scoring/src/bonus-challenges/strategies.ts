import { presetActivities } from '@caravan/contracts/activities';

export const strategies = ['momentum_boost', 'competitive', 'consistency'] as const;
export type Strategy = (typeof strategies)[number];
export type Activity = (typeof presetActivities)[number]['name'];

/** What an organisation did lately, as far as strategies ask. */
export type Figures = {
  /** Of the last seven days; what is absent was not done. */
  readonly centimilesByActivity: Readonly<Record<string, number>>;
  /** Everything in the last seven days, and in the seven before. */
  readonly centimilesLately: number;
  readonly centimilesBefore: number;
  /** Of each team in the running week. */
  readonly teamCentimiles: readonly number[];
  /** Unbroken runs of three days and more that reach today or yesterday; at risk are those that reach yesterday only. */
  readonly streaks: { readonly alive: number; readonly atRisk: number };
  readonly lastStrategy: Strategy | null;
};

/** What to ask of people. */
export type Proposal = {
  readonly strategy: Strategy;
  readonly activityType: Activity;
  readonly targetDurationMinutes: number;
};

/** Teams count as close when the second has at least nine tenths of the first (D15). */
const closeShare = 0.9;

type Rule = { readonly fits: (figures: Figures) => boolean; readonly propose: (figures: Figures) => Proposal };

const rules: Readonly<Record<Strategy, Rule>> = {
  /** Logging falls: the activity least done lately is worth twice. */
  momentum_boost: {
    fits: ({ centimilesLately, centimilesBefore }) => centimilesLately < centimilesBefore,
    propose: ({ centimilesByActivity }) => {
      const [activityType] = byMiles(centimilesByActivity);
      return { strategy: 'momentum_boost', activityType, targetDurationMinutes: 20 };
    },
  },
  /** Two teams are close: what most people do decides between them. */
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
  /** Many streaks are at risk: something short that everybody can do keeps them. */
  consistency: {
    fits: ({ streaks: { alive, atRisk } }) => atRisk > 0 && atRisk * 2 >= alive,
    propose: () => ({ strategy: 'consistency', activityType: 'Walking', targetDurationMinutes: 15 }),
  },
};

/**
 * The next bonus challenge (D15): by the first strategy whose condition holds, another one than last time where two hold.
 * Where none does, the activity least done gets its chance.
 */
export function proposalFor(figures: Figures): Proposal {
  const fitting = strategies.filter((strategy) => rules[strategy].fits(figures));
  const chosen = fitting.find((strategy) => strategy !== figures.lastStrategy) ?? fitting[0] ?? 'momentum_boost';
  return rules[chosen].propose(figures);
}

/** The preset activities, the least done first; of equals the one that the timer offers first. */
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

/** What people read of a bonus challenge. */
export function wordsOf(asked: Asked): Words {
  return words[asked.strategy](asked);
}
