import { parentPort, workerData } from 'node:worker_threads';
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import { z } from 'zod';

export type Opening = { readonly url: string; readonly tokens: readonly string[]; readonly perToken: number };
/** When each of the streams first had the post, as of `Date.now()`; `ended`: streams that are gone. */
export type Heard = {
  readonly heardAt: ReadonlyMap<string, readonly number[]>;
  readonly messages: number;
  readonly ended: number;
};

const atATime = 20;
const messageSchema = z.object({
  shown: z
    .object({ feed: z.object({ posts: z.array(z.object({ id: z.string() })).optional() }).optional() })
    .optional(),
});

// A thread of its own: two thousand streams are read without holding up whoever measures.
if (parentPort) void listen(workerData as Opening);

async function listen({ url, tokens, perToken }: Opening): Promise<void> {
  const pool = new Pool(url, { connections: tokens.length * perToken, headersTimeout: 30_000, bodyTimeout: 0 });
  const heardAt = new Map<string, number[]>();
  const all = { messages: 0, ended: 0 };
  const open = async (token: string) => {
    const path = '/api/events?shows=feed';
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
    });
    if (statusCode !== 200) throw new Error(`/api/events answered ${statusCode}`);
    const known = new Set<string>();
    const parser = createParser({
      onEvent: ({ data }) => {
        all.messages += 1;
        for (const { id } of messageSchema.parse(JSON.parse(data)).shown?.feed?.posts ?? []) {
          if (known.has(id)) continue;
          known.add(id);
          const times = heardAt.get(id) ?? [];
          times.push(performance.timeOrigin + performance.now());
          heardAt.set(id, times);
        }
      },
    });
    body.setEncoding('utf8');
    body.on('data', (text: string) => parser.feed(text));
    body.on('error', () => (all.ended += 1)).on('end', () => (all.ended += 1));
  };
  const wanted = tokens.flatMap((token) => Array.from({ length: perToken }, () => token));
  for (let index = 0; index < wanted.length; index += atATime)
    await Promise.all(wanted.slice(index, index + atATime).map(open));
  parentPort?.postMessage('open');
  parentPort?.on('message', () => {
    parentPort?.postMessage({ heardAt, ...all } satisfies Heard);
    void pool.destroy().then(() => process.exit(0));
  });
}
