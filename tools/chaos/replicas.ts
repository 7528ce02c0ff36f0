import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@caravan/contracts/events/topics';
import type { ProcessName } from '@caravan/caravan/process/paths';
import { settle } from '@caravan/check-invariants/invariants';
import { BoardPage } from './board-page.ts';
import { everybodySees, seconds } from './chaos.ts';
import { foundOrganisation, type Member } from './load.ts';
import { commentsAreThere, Crowd } from './upgrade-load.ts';

export type Several = {
  readonly url: string;
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly names: readonly ProcessName[];
  /** One more process of it. */
  readonly add: (name: ProcessName) => Promise<void>;
  /** One less, which is asked to stop. */
  readonly remove: (name: ProcessName) => Promise<void>;
  /** Kills one, and waits until it is back. */
  readonly crash: (name: ProcessName) => Promise<void>;
  /** Keys that stand still. */
  readonly parkedKeys: () => Promise<readonly string[]>;
};

const members = 20;
const openPages = 12;
const logsBetween = 40;
const withinMilliseconds = 60_000;

/**
 * Several processes of everything at work; of each a further one comes, one goes and one is killed, so that partitions
 * change hands again and again. Throws unless every acknowledged log and comment is there once, all figures agree,
 * nothing stands still, and every open page shows in the end what the API answers.
 */
export async function replicasDrill(several: Several, print: (line: string) => void): Promise<void> {
  const { url } = several;
  const [visitor, ...people] = await foundOrganisation(url, members + 1);
  if (!visitor) throw new Error('nobody signs in');
  const pages = people.slice(0, openPages).map((member) => new BoardPage(url, member));
  for (const page of pages) page.open();
  const crowd = new Crowd(url, people, visitor);
  crowd.start();
  try {
    await crowd.more(logsBetween * 2);
    for (const name of several.names) await changeHands(several, name, crowd, print);
  } finally {
    await crowd.stop();
  }
  await settle(several.databases, withinMilliseconds);
  await everybodySees(url, people);
  await commentsAreThere(url, people, crowd);
  await pagesHold(pages, people, print);
  const parked = await several.parkedKeys();
  if (parked.length > 0) throw new Error(`messages stand still: ${parked.join(', ')}`);
  if (crowd.asked.failed.length > 0) throw new Error(`nobody answered:\n${crowd.asked.failed.join('\n')}`);
  const again = [...crowd.asked.again.values()].reduce((sum, times) => sum + times, 0);
  print(`${crowd.asked.requests} requests, ${again} of them asked again; ${crowd.logs} logs, each there once`);
}

async function changeHands(
  several: Several,
  name: ProcessName,
  crowd: Crowd,
  print: (line: string) => void,
): Promise<void> {
  const from = crowd.asked.requests;
  const startedAt = performance.now();
  for (const change of [several.add, several.remove, several.crash]) {
    await change(name);
    await crowd.more(logsBetween);
  }
  const took = seconds(performance.now() - startedAt);
  print(`${name}: one came, one went, one was killed, in ${took}, amid ${crowd.asked.requests - from} requests`);
}

async function pagesHold(
  pages: readonly BoardPage[],
  people: readonly Member[],
  print: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + withinMilliseconds;
  const [first] = pages;
  if (!first) throw new Error('no page is open');
  for (;;) {
    const expected = await first.isToShow();
    const wrong = pages.filter((page) => page.shows() !== expected).length;
    if (wrong === 0) break;
    if (performance.now() > deadline) throw new Error(`${wrong} of ${pages.length} open pages show something else`);
    await pause(100);
  }
  const told = pages.map((page) => page.told);
  const cuts = pages.reduce((sum, page) => sum + page.cuts, 0);
  await Promise.all(pages.map((page) => page.close()));
  print(
    `${pages.length} pages of ${people.length} members show what is so; they were told ${Math.min(...told)} to ` +
      `${Math.max(...told)} times, and listened again ${cuts} times`,
  );
}
