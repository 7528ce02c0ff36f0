import { Pool } from 'undici';
import { z } from 'zod';
import { judge, percentile, type Finding } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { runningProduct, signUpPeople } from '../product.ts';
import { logScript, wrk } from '../wrk.ts';

/** Of what this machine can log, measured just before. */
const shareOfCapacity = 0.25;
const seconds = 15;
const people = 60;

const statsSchema = z.object({ userRank: z.number().nullable(), weeklyMiles: z.number() });
const logSchema = z.object({ totalMiles: z.number() });

/** G7: from sending a log to seeing one's own rank with it; and nothing lost or doubled. */
export async function logToRank(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, people);
  const others = await signUpPeople(product, people);
  const script = logScript(others);
  const capacity = await wrk({ url: `${product.url}/api/log`, connections: 16, seconds: 8, script });
  const ratePerSecond = Math.round(capacity.requestsPerSecond * shareOfCapacity);
  const pool = new Pool(product.url, { connections: 128 });
  const waited: number[] = [];
  const logged = new Map<string, number>();
  let stale = 0;
  const call = async (path: string, token: string, body?: object) => {
    const answer = await pool.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return { isStale: answer.headers['x-stale'] === 'true', json: JSON.parse(text) as unknown };
  };
  // What measuring the capacity has left to do is no part of the steady rate.
  for (const token of others) while ((await call('/api/dashboard/stats', token)).isStale);
  const { started, failed } = await openLoop({
    ratePerSecond,
    seconds,
    work: async (index) => {
      const token = tokens[index % tokens.length] ?? '';
      const sentAt = performance.now();
      logSchema.parse((await call('/api/log', token, { activityType: 'Walking', durationMinutes: 10 })).json);
      logged.set(token, (logged.get(token) ?? 0) + 1);
      const { isStale, json } = await call('/api/dashboard/stats', token);
      if (isStale || statsSchema.parse(json).userRank === null) stale += 1;
      waited.push(performance.now() - sentAt);
    },
  });
  let wrong = 0;
  for (const [token, logs] of logged) {
    const { weeklyMiles } = statsSchema.parse((await call('/api/dashboard/stats', token)).json);
    if (Math.round(weeklyMiles * 100) !== logs * 100) wrong += 1;
  }
  await pool.close();
  const at = (share: number) => percentile(waited, share);
  const what = (name: string) => `${name} from log to visible rank at ${ratePerSecond} logs a second (${started} logs)`;
  return [
    judge({ goal: 'G7', what: what('p50'), value: at(0.5), wanted: { atMost: 30 }, unit: ' ms' }),
    judge({ goal: 'G7', what: what('p99'), value: at(0.99), wanted: { atMost: 150 }, unit: ' ms' }),
    judge({ goal: 'G7', what: 'logs refused or answered stale', value: failed + stale, wanted: { atMost: 0 } }),
    judge({
      goal: 'G7',
      what: `members of ${logged.size} whose week is not the sum of their logs`,
      value: wrong,
      wanted: { atMost: 0 },
    }),
  ];
}
