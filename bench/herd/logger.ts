import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';
import { openLoop } from '../open-loop.ts';

export type Logging = {
  readonly url: string;
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly tokens: readonly (readonly string[])[];
};

/** Times as of `Date.now()`, with their fractions. */
export type Logged = {
  readonly organisation: number;
  readonly id: string;
  readonly sentAt: number;
  readonly answeredAt: number;
};
export type LoggingEnded = { readonly failed: number };

// A thread of its own: whoever logs does not wait for a thousand other people's pages to draw.
if (parentPort) void send(workerData as Logging);

async function send({ url, ratePerSecond, seconds, tokens }: Logging): Promise<void> {
  const pool = new Pool(url, { connections: 64 });
  const tell = (message: Logged | LoggingEnded) => parentPort?.postMessage(message);
  // A phone that logs has its page open: connection and code are there.
  const [[first = ''] = []] = tokens;
  const warm = Array.from({ length: 8 }, async () => {
    const { body } = await pool.request({
      method: 'GET',
      path: '/api/me',
      headers: { authorization: `Bearer ${first}` },
    });
    await body.dump();
  });
  await Promise.all(warm);
  const { failed } = await openLoop({
    ratePerSecond,
    seconds,
    work: async (index) => {
      const organisation = index % tokens.length;
      const theirs = tokens[organisation] ?? [];
      const sentAt = performance.timeOrigin + performance.now();
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/api/log',
        headers: { authorization: `Bearer ${theirs[(index * 7) % theirs.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ activityType: 'Walking', durationMinutes: 10, source: 'manual' }),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`a log answered ${statusCode}`);
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(text));
      tell({ organisation, id, sentAt, answeredAt: performance.timeOrigin + performance.now() });
    },
  });
  await pool.close();
  tell({ failed });
}
