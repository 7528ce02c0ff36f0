import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { Rejected } from '@caravan/kernel/rejected';

export type Template = Required<ChallengeTemplate>;

const individual = { challengeType: 'individual', isActive: true } as const;

/** Until an admin says otherwise: a distance, days and a team's sum (D14, 9.24). */
export const defaultTemplates: readonly Template[] = [
  {
    ...individual,
    id: 'walk-5-miles',
    name: 'Walk 5 miles',
    description: 'Earn 5 miles this week, with any activity you like.',
    targetValue: 5,
    targetUnit: 'miles',
    bonusMiles: 1,
  },
  {
    ...individual,
    id: 'log-5-days',
    name: 'Log 5 days',
    description: 'Move on 5 different days this week.',
    targetValue: 5,
    targetUnit: 'days',
    bonusMiles: 1.5,
  },
  {
    ...individual,
    id: 'team-50-miles',
    name: 'Team reaches 50 miles',
    description: 'Earn 50 miles together with your team this week.',
    challengeType: 'team',
    targetValue: 50,
    targetUnit: 'miles',
    bonusMiles: 2,
  },
];

export function refusalOf(wanted: readonly ChallengeTemplate[], known: readonly Template[]): Rejected | undefined {
  const named = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const ids = new Set(known.map(({ id }) => id));
  if (named.some((id) => !ids.has(id)))
    return new Rejected('challenge-templates/not-found', 'not-found', 'This template does not exist');
  if (new Set(named).size < named.length)
    return new Rejected('challenge-templates/listed-twice', 'invalid', 'A template can be listed only once');
  return undefined;
}
