import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import { logOnce, type Member } from './load.ts';

export type Freezer = {
  readonly url: string;
  /** Stops a program as one that hangs: it keeps its connections and answers nothing. */
  freeze: (program: string) => () => void;
};

/** Nobody knows whether these logs are there; asked again under their keys in the end. */
type Unsure = { readonly member: Member; readonly key: string }[];
type Answer = {
  readonly call: string;
  readonly status: number;
  readonly isStale: boolean;
  readonly milliseconds: number;
};
type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object };

export const allPrograms = [...serviceNames, 'kafka', 'redis', 'postgres', 's3'] as const;
/** One of each kind: a service, the broker, the database. */
export const corePrograms = ['activity', 'kafka', 'postgres'] as const;
const frozenMilliseconds = 4_500;
const everyMilliseconds = 250;
const longestMilliseconds = 5_000;
const wellMilliseconds = 10_000;

const durationMinutes = 10;
const calls: readonly Call[] = [
  { method: 'POST', path: '/api/log', body: { activityType: 'Walking', durationMinutes } },
  { method: 'GET', path: '/api/me' },
  { method: 'GET', path: '/api/logs' },
  { method: 'GET', path: '/api/dashboard/stats' },
  { method: 'GET', path: '/api/leaderboard' },
  { method: 'GET', path: '/api/weekly-challenges' },
  { method: 'GET', path: '/api/feed/all?limit=10' },
  { method: 'GET', path: '/api/fitness/status' },
  { method: 'GET', path: '/api/me/export/file' },
  { method: 'POST', path: '/api/login', body: { email: 'nobody@example.org', password: 'Caravan-2026!' } },
];

const well: Readonly<Record<string, number>> = { 'POST /api/login': 401 };
const nameOf = ({ method, path }: Call) => `${method} ${path}`;

/** Throws for a request beyond 5 s, a refusal without a time to come again, or trouble 10 s after. */
export async function freezeEach(
  { url, freeze }: Freezer,
  people: readonly Member[],
  programs: readonly (typeof allPrograms)[number][],
  print: (line: string) => void,
): Promise<void> {
  const [first] = people;
  if (!first) throw new Error('nobody asks');
  const unsure: Unsure = [];
  await exportOf(url, first);
  await untilWell(url, first, unsure);
  for (const program of programs) {
    const thaw = freeze(program);
    const answers = await askAll(url, people, unsure).finally(thaw);
    const slowest = answers.reduce((worst, answer) => (answer.milliseconds > worst.milliseconds ? answer : worst));
    if (slowest.milliseconds > longestMilliseconds)
      throw new Error(`${program} hung, and ${slowest.call} took ${(slowest.milliseconds / 1_000).toFixed(1)} s`);
    const wellAfter = await untilWell(url, first, unsure);
    const refused = answers.filter(({ status }) => status === 503).length;
    print(
      `${program} hung: ${answers.length} requests, ${refused} refused, the slowest (${slowest.call}) took ` +
        `${(slowest.milliseconds / 1_000).toFixed(1)} s; all well ${(wellAfter / 1_000).toFixed(1)} s after`,
    );
  }
  for (const { member, key } of unsure) await logOnce(url, member, key, durationMinutes);
}

async function askAll(url: string, people: readonly Member[], unsure: Unsure): Promise<Answer[]> {
  const asked: Promise<Answer>[] = [];
  const until = performance.now() + frozenMilliseconds;
  for (let turn = 0; performance.now() < until; turn += 1) {
    const member = people[turn % people.length];
    if (member) asked.push(...calls.map((call) => ask({ url, member, unsure }, call)));
    await pause(everyMilliseconds);
  }
  return Promise.all(asked);
}

type Asker = { readonly url: string; readonly member: Member; readonly unsure: Unsure };

async function ask({ url, member, unsure }: Asker, call: Call): Promise<Answer> {
  const startedAt = performance.now();
  const key = crypto.randomUUID();
  const answer = await fetch(url + call.path, {
    method: call.method,
    headers: {
      authorization: `Bearer ${member.token}`,
      ...(call.body && { 'content-type': 'application/json', 'idempotency-key': key }),
    },
    ...(call.body && { body: JSON.stringify(call.body) }),
    signal: AbortSignal.timeout(longestMilliseconds * 6),
  });
  const { status, headers } = answer;
  const text = await answer.text();
  const milliseconds = performance.now() - startedAt;
  const name = nameOf(call);
  if (status >= 500 && (status !== 503 || headers.get('retry-after') === null))
    throw new Error(`${name} answered ${status} and not when to come again: ${text}`);
  if (name === 'POST /api/log') {
    if (status === 200) member.acknowledged.push(z.object({ id: z.string() }).parse(JSON.parse(text)).id);
    else unsure.push({ member, key });
  }
  return { call: name, status, isStale: headers.get('x-stale') !== null, milliseconds };
}

async function untilWell(url: string, member: Member, unsure: Unsure): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const answers = await Promise.all(calls.map((call) => ask({ url, member, unsure }, call)));
    const ill = answers.filter(
      ({ call, status, isStale }) => isStale || (status !== (well[call] ?? 200) && status !== 404 && status !== 429),
    );
    const past = performance.now() - startedAt;
    if (ill.length === 0) return past;
    if (past > wellMilliseconds) throw new Error(`not well ${past} ms after: ${JSON.stringify(ill)}`);
    await pause(everyMilliseconds);
  }
}

async function exportOf(url: string, { token }: Member): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/api/me/export`, { method: 'POST', headers });
  const until = performance.now() + 30_000;
  while (!(await (await fetch(`${url}/api/me/export`, { headers })).text()).includes('"ready"')) {
    if (performance.now() > until) throw new Error('no export is made');
    await pause(everyMilliseconds);
  }
}
