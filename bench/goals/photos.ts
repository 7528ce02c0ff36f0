import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { registeredPhotoSchema, startedUploadSchema } from '@caravan/contracts/http/photos';
import { photoSizes } from '@caravan/service-kit/storage/photo-address';
import sharp from 'sharp';
import { Pool } from 'undici';
import { type Finding, judge, percentile } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { cpuMicrosecondsOfFamily, memoryMiB } from '../processes.ts';
import { pidOf, type Product, runningProduct, signUpPeople } from '../product.ts';

const people = 100;
const registered = 20;
const readsPerSecond = 20;
const quietSeconds = 15;
const lookMilliseconds = 100;
const settleMilliseconds = 15_000;

/** Photos: 100 people send 5 MB at once; then what proving and drawing them costs. */
export async function photos(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, people);
  const file = await noisyPhoto();
  const pool = new Pool(product.url, { connections: 2 * people });
  const [token = ''] = tokens;
  const quiet = await readingWhile(pool, token, pause(quietSeconds * 1_000));
  const memory = watchMemory(product, ['gateway', 'activity']);
  const startedAt = performance.now();
  const sending = Promise.all(tokens.map((each) => send(pool, each, file)));
  const during = await readingWhile(pool, token, sending);
  const seconds = (performance.now() - startedAt) / 1_000;
  const grown = memory.end();
  const addresses = await sending;
  const cpu = await cpuOf(pidOf(product, 'activity'), async () => {
    for (const [nth, photoURL] of addresses.slice(0, registered).entries())
      await register(pool, tokens[nth] ?? '', photoURL);
    // The sizes are drawn after the answer.
    await pause(settleMilliseconds);
  });
  const bare = await bareSharp(file);
  await pool.close();
  const megabytes = (file.length / 1e6).toFixed(1);
  const what = (about: string) => `${about}, ${people} photos of ${megabytes} MB at once (${seconds.toFixed(1)} s)`;
  const p99s = `(${during.p99.toFixed(1)} and ${quiet.p99.toFixed(1)} ms)`;
  const costs = `(${Math.round(cpu / registered / 1e3)} and ${Math.round(bare / 1e3)} ms of CPU)`;
  const goal = 'photos';
  return [
    judge({
      goal,
      what: what(`p99 of reads ${p99s}`),
      value: during.p99 / quiet.p99,
      wanted: { atMost: 3 },
      unit: '×',
    }),
    judge({ goal, what: what('reads refused'), value: during.failed, wanted: { atMost: 0 } }),
    judge({ goal, what: what('memory that grew'), value: grown, wanted: { atMost: 100 }, unit: ' MiB' }),
    judge({
      goal,
      what: `a photo proven and drawn in all sizes against bare sharp ${costs}`,
      value: cpu / registered / bare,
      wanted: { atMost: 1.5 },
      unit: '×',
    }),
  ];
}

/** Like a camera's: nothing in it can be left out. */
export async function noisyPhoto([width, height]: readonly [number, number] = [3_000, 2_000]): Promise<Buffer> {
  const coarse = sharp(randomBytes((width / 2) * (height / 2) * 3), {
    raw: { width: width / 2, height: height / 2, channels: 3 },
  });
  return coarse.resize(width, height).jpeg({ quality: 88 }).toBuffer();
}

async function ask(
  pool: Pool,
  token: string,
  { method, path, said }: { method: 'POST' | 'PUT'; path: string; said: object },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (;;) {
    const answer = await pool.request({ method, path, headers, body: JSON.stringify(said) });
    const text = await answer.body.text();
    if (answer.statusCode === 200) return JSON.parse(text);
    if (answer.statusCode !== 503) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    await pause(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}

async function send(pool: Pool, token: string, file: Buffer): Promise<string> {
  const { uploadURL } = startedUploadSchema.parse(
    await ask(pool, token, { method: 'POST', path: '/api/objects/upload', said: {} }),
  );
  const { pathname, search } = new URL(uploadURL);
  const headers = { 'content-type': 'image/jpeg', 'content-length': String(file.length) };
  const { statusCode, body } = await pool.request({ method: 'PUT', path: pathname + search, headers, body: file });
  await body.dump();
  if (statusCode !== 200) throw new Error(`an upload answered ${statusCode}`);
  return uploadURL;
}

const register = async (pool: Pool, token: string, photoURL: string) =>
  registeredPhotoSchema.parse(
    await ask(pool, token, { method: 'PUT', path: '/api/workout-photos', said: { photoURL } }),
  );

async function readingWhile(
  pool: Pool,
  token: string,
  work: Promise<unknown>,
): Promise<{ p99: number; failed: number }> {
  const times: number[] = [];
  const ended = new AbortController();
  const read = async () => {
    const sentAt = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/api/me', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    times.push(performance.now() - sentAt);
  };
  const reads = (async () => {
    let failures = 0;
    while (!ended.signal.aborted)
      failures += (await openLoop({ ratePerSecond: readsPerSecond, seconds: 1, work: read })).failed;
    return failures;
  })();
  await work.finally(() => ended.abort());
  return { failed: await reads, p99: percentile(times, 0.99) };
}

function watchMemory(product: Product, names: readonly string[]): { end(): number } {
  const total = () => names.reduce((sum, name) => sum + memoryMiB(pidOf(product, name)).rss, 0);
  const before = total();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, total())), lookMilliseconds);
  return {
    end: () => {
      clearInterval(timer);
      return most - before;
    },
  };
}

async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuMicrosecondsOfFamily(pid);
  await work();
  return cpuMicrosecondsOfFamily(pid) - before;
}

/** Microseconds of CPU for one photo: decoded once, every size drawn. */
async function bareSharp(file: Buffer): Promise<number> {
  const before = process.cpuUsage();
  for (let nth = 0; nth < registered; nth += 1) {
    const upright = sharp(file).autoOrient();
    await Promise.all(
      photoSizes.map((size) => upright.clone().resize({ width: size, height: size, fit: 'inside' }).webp().toBuffer()),
    );
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / registered;
}
