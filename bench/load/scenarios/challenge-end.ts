import { challengeCompletedSchema, weeklyChallengesSchema } from '@caravan/contracts/http/challenges';
import { longOr } from '../../form.ts';
import { type Finding, judge } from '../../harness.ts';
import { runningProduct } from '../../product.ts';
import { runTimed } from '../../progress.ts';
import { colleagues, members } from '../people.ts';
import { atRate, play } from '../scenario.ts';
import { Tally } from '../tally.ts';
import { Visitors } from '../visitors.ts';

const goal = 'LOAD-CLAIMS';
const seconds = longOr(60, 10);

/** End of a challenge: whoever has reached it claims within a minute. */
export async function challengeEnds(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await colleagues(product);
  const before = new Visitors(product.url, new Tally());
  const weekly = weeklyChallengesSchema.parse(
    await before.ask({ path: '/api/weekly-challenges', token: tokens[0] ?? '' }),
  );
  const challenge = weekly.find((one) => one.challengeType === 'individual' && one.targetUnit === 'miles');
  if (!challenge) throw new Error('No challenge of the week is for miles of one person');
  // Six miles in an hour: more than the target of five.
  const body = { activityType: 'Running', durationMinutes: 60 };
  const log = (visitors: Visitors, nth: number) =>
    visitors.ask({ method: 'POST', path: '/api/log', token: tokens[nth] ?? '', body });
  await runTimed('everybody has reached the challenge', () =>
    atRate(before, { visit: log }, { rate: longOr(20, 10), during: members / longOr(20, 10) }),
  );
  await before.close();
  let unclaimed = 0;
  const findings = await play(product, {
    goal,
    told: 'a challenge ends and everybody claims',
    climbs: false,
    seconds,
    visitsPerSecond: members / seconds,
    atMostMilliseconds: 500,
    visit: async (visitors, nth) => {
      const token = tokens[nth] ?? '';
      const path = `/api/weekly-challenges/${challenge.id}/complete`;
      const claimed = await visitors.ask({ act: 'claim', method: 'POST', path, token, body: {} });
      if (!challengeCompletedSchema.parse(claimed).completed) unclaimed += 1;
      await visitors.ask({ act: 'dashboard', path: '/api/dashboard/stats', token });
    },
  });
  const what = `of ${members} claims answered and not granted`;
  return [...findings, judge({ goal, what, value: unclaimed, wanted: { atMost: 0 } })];
}
