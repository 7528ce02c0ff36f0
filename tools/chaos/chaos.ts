import { serviceNames } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import { settle } from '@caravan/check-invariants/invariants';
import { allPrograms, corePrograms, freezeEach, type Freezer } from './freeze.ts';
import { foundOrganisation, logOnce, type Member } from './load.ts';

export type Target = Freezer & {
  readonly databases: Parameters<typeof settle>[0];
  crash(program: string): Promise<void>;
};

export type Extent = {
  readonly members: number;
  readonly logs: number;
  /** Lets every program hang; otherwise one of each kind. */
  readonly isFull: boolean;
};

/** Milliseconds. */
type CrashEffect = {
  readonly program: string;
  readonly backAfter: number;
  readonly acknowledgedAfter: number;
  readonly equalAfter: number;
  /** From the last acknowledged log, or the program's return if later, to equal figures: what nobody waits for. */
  readonly caughtUpAfter: number;
};

const parallelClients = 16;
const settleWithinMilliseconds = 60_000;
const programs = [...serviceNames, 'gateway', 'kafka', 'redis', 'postgres'];
/** After return and last log; nineteen of twenty are to be shorter. */
const equalGoalMilliseconds = 10_000;

/** Throws unless every acknowledged log exists once, all sums and boards agree and nobody was logged out. */
export async function chaos(
  target: Target,
  { members, logs, isFull }: Extent,
  print: (line: string) => void,
): Promise<Member[]> {
  const people = await foundOrganisation(target.url, members);
  const share = Math.ceil(logs / programs.length);
  const rounds: CrashEffect[] = [];
  for (const [nth, program] of programs.entries()) {
    const effect = await round(target, { program, people, from: nth * share, logs: share });
    rounds.push(effect);
    print(lineOf(effect));
  }
  print(summaryOf(rounds));
  await freezeEach(target, people, isFull ? allPrograms : corePrograms, print);
  await settle(target.databases, settleWithinMilliseconds);
  print(`${people.flatMap((member) => member.acknowledged).length} logs are acknowledged`);
  await everybodySees(target.url, people);
  return people;
}

export type Drill = {
  backup(): Promise<void>;
  /** Answers the product that was started of the backup. */
  restore(): Promise<Target>;
};

const logsAfterBackup = 20;

/**
 * A backup amid work, more work, and all of it lost but the backup: what was acknowledged before it is there, what was
 * acknowledged while it was made may be, everything later is gone; all figures agree, and work goes on.
 */
export async function restoreDrill(
  target: Target,
  people: readonly Member[],
  drill: Drill,
  print: (line: string) => void,
): Promise<void> {
  const before = new Map(people.map((member) => [member, [...member.acknowledged]]));
  let isMade = false;
  let written = 0;
  const writing = async () => {
    while (!isMade) await logOnce(target.url, memberAt(people, written), `amid-backup-${written++}`, 10);
  };
  const backup = drill.backup().finally(() => (isMade = true));
  await Promise.all([backup, writing(), writing()]);
  const amid = new Map(people.map((member) => [member, [...member.acknowledged]]));
  for (let nth = 0; nth < logsAfterBackup; nth += 1)
    await logOnce(target.url, memberAt(people, nth), `after-backup-${nth}`, 10);
  const lostAt = performance.now();
  const restored = await drill.restore();
  print(`The backup is restored and answers after ${seconds(performance.now() - lostAt)}`);
  await settle(restored.databases, settleWithinMilliseconds);
  for (const member of people) {
    const own = await ownLogs(restored.url, member);
    const missing = before.get(member)?.filter((id) => !own.has(id)) ?? [];
    const tooNew = [...own.keys()].filter((id) => amid.get(member)?.includes(id) !== true);
    if (missing.length > 0 || tooNew.length > 0)
      throw new Error(`missing of before the backup: ${missing.join(', ')}; there of after it: ${tooNew.join(', ')}`);
    member.acknowledged = [...own.keys()];
  }
  for (let nth = 0; nth < logsAfterBackup; nth += 1)
    await logOnce(restored.url, memberAt(people, nth), `after-restore-${nth}`, 10);
  await settle(restored.databases, settleWithinMilliseconds);
  await everybodySees(restored.url, people);
  print(`Restored: ${written} logs were written amid the backup, ${logsAfterBackup} after it are gone, work goes on`);
}

function memberAt(people: readonly Member[], nth: number): Member {
  const member = people[nth % people.length];
  if (!member) throw new Error('nobody logs');
  return member;
}

type Round = {
  readonly program: string;
  readonly people: readonly Member[];
  readonly from: number;
  readonly logs: number;
};

async function round(target: Target, { program, people, from, logs }: Round): Promise<CrashEffect> {
  let begun = 0;
  let crashedAt = Infinity;
  let acknowledgedAt = Infinity;
  let isBackAt = 0;
  const client = async () => {
    for (let index = begun++; index < logs; index = begun++) {
      // The second half waits for the crash, so that it always hits work in progress.
      await until(() => index < logs / 2 || crashedAt < Infinity);
      const member = people[(from + index) % people.length];
      const startedAt = performance.now();
      if (member) await logOnce(target.url, member, `chaos-${from + index}`, 10 + (index % 50));
      if (startedAt > crashedAt) acknowledgedAt = Math.min(acknowledgedAt, performance.now());
    }
  };
  const crash = async () => {
    await until(() => begun >= logs / 2);
    const back = target.crash(program);
    crashedAt = performance.now();
    await back;
    isBackAt = performance.now();
  };
  await Promise.all([crash(), ...Array.from({ length: parallelClients }, client)]);
  const settledFrom = performance.now();
  await settle(target.databases, settleWithinMilliseconds);
  const equalAt = performance.now();
  return {
    program,
    backAfter: isBackAt - crashedAt,
    acknowledgedAfter: acknowledgedAt - crashedAt,
    equalAfter: equalAt - crashedAt,
    caughtUpAfter: equalAt - settledFrom,
  };
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

const lineOf = ({ program, backAfter, acknowledgedAfter, equalAfter, caughtUpAfter }: CrashEffect) =>
  `${program} was killed: back after ${seconds(backAfter)}, a log acknowledged after ${seconds(acknowledgedAfter)}, ` +
  `all figures equal after ${seconds(equalAfter)} (${seconds(caughtUpAfter)} after it was back and the last log written)`;

function summaryOf(rounds: readonly CrashEffect[]): string {
  const sorted = rounds.map(({ caughtUpAfter }) => caughtUpAfter).toSorted((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
  const verdict = p95 <= equalGoalMilliseconds ? 'within' : 'beyond';
  return `All figures equal after return and last log: p95 ${seconds(p95)}, ${verdict} the goal of ${seconds(equalGoalMilliseconds)}`;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const boardSchema = z.object({ users: z.array(z.object({ id: z.string(), totalMiles: z.number() })) });
const ownLogSchema = z.array(z.object({ id: z.string(), distanceMiles: z.number() }));

export async function everybodySees(url: string, people: readonly Member[]): Promise<void> {
  const all = people.flatMap((member) => member.acknowledged);
  const once = new Set(all).size;
  if (once !== all.length) throw new Error(`${all.length} logs were acknowledged, but only ${once} different ones`);
  for (const member of people) {
    const own = await ownLogs(url, member);
    const missing = member.acknowledged.filter((id) => !own.has(id));
    if (missing.length > 0 || own.size !== member.acknowledged.length)
      throw new Error(
        `a member has ${own.size} logs of ${member.acknowledged.length} acknowledged; missing: ${missing.join(', ')}`,
      );
    const total = [...own.values()].reduce((sum, miles) => sum + Math.round(miles * 100), 0);
    const { users } = boardSchema.parse(
      await read(`${url}/api/leaderboard`, member.token).then((answer) => answer.json()),
    );
    const shown = users.find(({ id }) => id === member.id)?.totalMiles;
    if (shown !== undefined && Math.round(shown * 100) !== total)
      throw new Error(`the board shows ${shown}, the logs come to ${total / 100}`);
  }
}

async function ownLogs(url: string, { token }: Member): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let page: string | undefined = `${url}/api/logs?limit=50`; page;) {
    const answer: Response = await read(page, token);
    for (const { id, distanceMiles } of ownLogSchema.parse(await answer.json())) found.set(id, distanceMiles);
    const following = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    page = following && new URL(following, url).href;
  }
  return found;
}

/** A 401 here means that the faults have logged somebody out. */
async function read(url: string, token: string): Promise<Response> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}
