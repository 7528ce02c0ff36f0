import { reactionEmojis } from '@caravan/contracts/events/fields';
import { reactAnswerSchema } from '@caravan/contracts/http/feed';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Finding, judge, percentile } from '../harness.ts';
import { company } from '../herd/company.ts';
import { HerdPage } from '../herd/page.ts';
import { openLoop } from '../open-loop.ts';
import { runningProduct } from '../product.ts';

const members = 500;
const seconds = 20;
const readsPerSecond = 20;
/** Each member about every ten seconds. */
const togglesPerSecond = 50;
const logs = 60;
const lookMilliseconds = 5;

type Call = <Answer>(path: string, token: string, schema: z.ZodType<Answer>, body?: object) => Promise<Answer>;

/** F15: everybody reacts to one post; and how long until an open page of somebody else shows a new one. */
export async function hotPost(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await company(product, members);
  const pool = new Pool(product.url, { connections: 128 });
  const call: Call = async (path, token, schema, body) => {
    const answer = await pool.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return schema.parse(JSON.parse(text));
  };
  const findings = [...(await toggling(call, tokens)), ...(await showing(pool, call, product.url, tokens))];
  await pool.close();
  return findings;
}

async function toggling(call: Call, tokens: readonly string[]): Promise<Finding[]> {
  const movementLogId = await logMovement(call, tokens[0]);
  const quiet = await reading(call, tokens);
  const held = new Map<string, boolean>();
  const toggles = openLoop({
    ratePerSecond: togglesPerSecond,
    seconds,
    work: async (index) => {
      const token = tokens[index % tokens.length] ?? '';
      const emoji = reactionEmojis[Math.floor(index / tokens.length) % reactionEmojis.length] ?? '';
      const { action } = await call('/api/feed/react', token, reactAnswerSchema, { movementLogId, emoji });
      held.set(`${token} ${emoji}`, action === 'added');
    },
  });
  const [hot, { started, failed }] = await Promise.all([reading(call, tokens), toggles]);
  const [post] = await call('/api/feed/all?limit=1', tokens[0] ?? '', countedSchema);
  const shown = Object.values(post?.reactions ?? {}).reduce((sum, count) => sum + count, 0);
  const given = [...held.values()].filter(Boolean).length;
  const what = (about: string) => `${about}, ${members} members, ${togglesPerSecond} toggles a second on one post`;
  const times = hot.p99 / quiet.p99;
  const p99s = `(${hot.p99.toFixed(1)} and ${quiet.p99.toFixed(1)} ms)`;
  return [
    judge({ goal: 'F15', what: what(`p99 of reads ${p99s}`), value: times, wanted: { atMost: 2 }, unit: '×' }),
    judge({ goal: 'F15', what: what('reads refused'), value: hot.failed, wanted: { atMost: 0 } }),
    judge({ goal: 'F15', what: what(`of ${started} toggles refused`), value: failed, wanted: { atMost: 0 } }),
    judge({ goal: 'F15', what: what('off the true count'), value: Math.abs(shown - given), wanted: { atMost: 0 } }),
  ];
}

const countedSchema = z.array(z.object({ reactions: z.record(z.string(), z.number()) }));

async function reading(call: Call, tokens: readonly string[]): Promise<{ p99: number; failed: number }> {
  const times: number[] = [];
  const { failed } = await openLoop({
    ratePerSecond: readsPerSecond,
    seconds,
    work: async (index) => {
      const sentAt = performance.now();
      await call('/api/feed/all?limit=10', tokens[(index * 7) % tokens.length] ?? '', z.array(z.unknown()));
      times.push(performance.now() - sentAt);
    },
  });
  return { p99: percentile(times, 0.99), failed };
}

const logMovement = async (call: Call, token = ''): Promise<string> =>
  (await call('/api/log', token, logAnswerSchema, { activityType: 'Walking', durationMinutes: 10 })).id;

async function showing(pool: Pool, call: Call, url: string, tokens: readonly string[]): Promise<Finding[]> {
  const [reader = '', ...writers] = tokens;
  const page = new HerdPage({ pool, url, token: reader, asking: { gets: 0, failed: 0, aborted: 0 } }, 'feed');
  await page.open();
  const waits: number[] = [];
  for (let nth = 1; nth <= logs; nth += 1) {
    const sentAt = performance.now();
    const id = await logMovement(call, writers[nth]);
    const numberOf = new Map([[id, nth]]);
    while (page.logsShown(1, numberOf) < nth) await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    waits.push(performance.now() - sentAt);
  }
  page.close();
  const what = (name: string) => `${name} from a log to its post on somebody else's open page (${logs} logs)`;
  const second = { wanted: { atMost: 1_000 }, unit: ' ms' };
  return [
    judge({ goal: 'F15', what: what('p50'), value: percentile(waits, 0.5), ...second }),
    judge({ goal: 'F15', what: what('p99'), value: percentile(waits, 0.99), ...second }),
  ];
}
