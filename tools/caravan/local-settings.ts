import type { ServiceName } from '@caravan/contracts/topics';

/** For what the launcher starts a product. */
export type Run = 'up' | 'journeys' | 'chaos' | 'bench';

/** One setting in which a run on this machine differs from what an operator gets who sets nothing. */
type Difference = {
  readonly of: ServiceName | 'gateway';
  readonly setting: string;
  /** Absent: made for each instance, see `variables.ts`. */
  readonly value?: string;
  readonly runs: readonly Run[];
  readonly reason: string;
};

const everywhere: readonly Run[] = ['up', 'journeys', 'chaos', 'bench'];

/**
 * All of them; `variables.spec.ts` fails for one that is not here. What one account may do is what it may do anywhere,
 * and only the bench lets one address or account ask without end (D38).
 */
export const differences: readonly Difference[] = [
  {
    ...{ of: 'identity', setting: 'DEFAULT_ORGANISATION_ID', runs: everywhere },
    reason: 'Whoever signs up without an invite joins the demo; `./caravan up --empty` leaves it out.',
  },
  {
    ...{ of: 'identity', setting: 'PASSWORD_CHECK', value: 'warn', runs: everywhere },
    reason:
      'A local instance is for trying out: it says that a password is weak, and takes it. The demo has one for all.',
  },
  {
    ...{ of: 'identity', setting: 'FAILURES_PER_ADDRESS', value: '10000', runs: everywhere },
    reason: 'One address acts for 500 people here, who mistype and guess in tests; what one account may fail stays.',
  },
  {
    ...{ of: 'identity', setting: 'ADDRESS_PROBES_PER_HOUR', value: '10000', runs: everywhere },
    reason: 'One address acts for 500 people here, who try in tests what happens when they sign up twice.',
  },
  {
    ...{ of: 'gateway', setting: 'LIMIT_PER_ADDRESS_PER_MINUTE', value: '1000000', runs: ['bench'] },
    reason: 'The bench signs thousands up and in from one address, to see what a machine can do.',
  },
  {
    ...{ of: 'gateway', setting: 'LIMIT_PER_ACCOUNT_PER_MINUTE', value: '1000000', runs: ['bench'] },
    reason: 'The bench asks for thousands of pages a second as few people, to see what a machine can do.',
  },
];

/** The differing settings of a process in a run; those made for each instance are not among them. */
export function localSettings(process: ServiceName | 'gateway', run: Run): Record<string, string> {
  const own = differences.filter((difference) => difference.of === process && difference.runs.includes(run));
  return Object.fromEntries(own.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting, value]])));
}
