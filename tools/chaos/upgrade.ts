import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import type { ProcessName } from '@caravan/caravan/process/paths';
import { settle } from '@caravan/check-invariants/invariants';
import { everybodySees, seconds } from './chaos.ts';
import { foundOrganisation } from './load.ts';
import { commentsAreThere, Crowd } from './upgrade-load.ts';

type Version = 'previous' | 'this';
export type Rollout = {
  readonly url: string;
  readonly databases: Readonly<Record<ServiceName, string>>;
  /** What `prepare` does before a rollout: migrations and topics of this release. */
  prepare(): Promise<void>;
  /** Starts a process of that version, and ends the one in whose place it is once it is ready. */
  replace(program: ProcessName, version: Version): Promise<void>;
  /** Keys that stand still. */
  parkedKeys(): Promise<readonly string[]>;
};

const members = 20;
const logsBetween = 60;
const settleWithinMilliseconds = 60_000;
const order: readonly ProcessName[] = [...serviceNames, 'gateway'];

/**
 * The previous release at work, the new schema below it, then every process replaced: by this release, back, and forth
 * again. Throws unless every request was answered in the end, and every acknowledged log and comment is there once.
 */
export async function upgradeDrill(rollout: Rollout, print: (line: string) => void): Promise<void> {
  const [visitor, ...people] = await foundOrganisation(rollout.url, members + 1);
  if (!visitor) throw new Error('nobody signs in');
  const crowd = new Crowd(rollout.url, people, visitor);
  crowd.start();
  try {
    await rollOut(rollout, crowd, print);
  } finally {
    tell(crowd, print);
    await crowd.stop();
  }
  await settle(rollout.databases, settleWithinMilliseconds);
  await everybodySees(rollout.url, people);
  await commentsAreThere(rollout.url, people, crowd);
  const parked = await rollout.parkedKeys();
  if (parked.length > 0) throw new Error(`messages stand still: ${parked.join(', ')}`);
  if (crowd.asked.failed.length > 0) throw new Error(`nobody answered:\n${crowd.asked.failed.join('\n')}`);
  print('No request failed, every acknowledged log and comment is there once, every invariant holds');
}

async function rollOut(rollout: Rollout, crowd: Crowd, print: (line: string) => void): Promise<void> {
  await crowd.more(logsBetween * 2);
  const startedAt = performance.now();
  await rollout.prepare();
  print(`The schema is this release's after ${seconds(performance.now() - startedAt)}, below the previous release`);
  await crowd.more(logsBetween * 4);
  for (const version of ['this', 'previous', 'this'] as const) await replaceAll(rollout, crowd, version, print);
}

async function replaceAll(
  rollout: Rollout,
  crowd: Crowd,
  version: Version,
  print: (line: string) => void,
): Promise<void> {
  for (const program of order) {
    const startedAt = performance.now();
    const before = crowd.asked.requests;
    await rollout.replace(program, version);
    const took = seconds(performance.now() - startedAt);
    await crowd.more(logsBetween);
    print(`${program} is of ${version} release after ${took}, amid ${crowd.asked.requests - before} requests`);
  }
}

function tell({ asked, logs, comments }: Crowd, print: (line: string) => void): void {
  const written = [...comments.values()].reduce((sum, count) => sum + count, 0);
  print(
    `${asked.requests} requests, ${logs} logs and ${written} comments; the slowest took ${seconds(asked.slowestMilliseconds)}`,
  );
  for (const [what, times] of asked.again) print(`asked again: ${what}, ${times} times`);
}
