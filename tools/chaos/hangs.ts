import { setTimeout as pause } from 'node:timers/promises';
import { settle } from '@caravan/check-invariants/invariants';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { groupsIn, lagOf } from '@caravan/messaging/operator/lag';
import type { Pool } from 'pg';
import { everybodySees, seconds } from './chaos.ts';
import { foundOrganisation, logOnce, type Member } from './load.ts';

type Hanging = {
  readonly url: string;
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly pools: Readonly<Record<ServiceName, Pool>>;
  readonly kafka: Pick<Kafka, 'describeGroups' | 'endOffsets'>;
  /** Stops the broker; returns what lets it go on. */
  readonly freezeKafka: () => () => void;
};

type GroupState = { readonly group: string; readonly hasMember: boolean; readonly isUpTo: boolean };

const members = 20;
const clients = 4;
const everyMilliseconds = 250;
const withinMilliseconds = 60_000;
const hangsSeconds = [20, 5, 35, 12, 8, 28, 16, 24, 6, 32];

/**
 * Kafka hangs again and again amid work. After each hang every consumer group must have a member, and must have applied
 * every message that Kafka had when it went on: a group that Kafka calls stable may apply nothing.
 */
export async function hangsDrill(hanging: Hanging, hangs: number, print: (line: string) => void): Promise<void> {
  const people = await foundOrganisation(hanging.url, members);
  const load = new Load(hanging.url, people);
  load.start();
  const failures: string[] = [];
  try {
    await allBack(hanging);
    for (let nth = 0; nth < hangs; nth += 1) {
      const length = hangsSeconds[nth % hangsSeconds.length] ?? 20;
      failures.push(...(await hangOnce(hanging, length, print)));
    }
  } finally {
    await load.stop();
  }
  await settle(hanging.databases, withinMilliseconds);
  await everybodySees(hanging.url, people);
  print(`${hangs} hangs, ${load.acknowledged} logs acknowledged, each there once`);
  const verdict = (what: string) => (failures.some((failure) => failure.includes(what)) ? 'FAILED' : 'all back');
  print(`Members: ${verdict('no member')}. Messages: ${verdict('not applied')}.`);
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function hangOnce(hanging: Hanging, lengthSeconds: number, print: (line: string) => void): Promise<string[]> {
  const goOn = hanging.freezeKafka();
  await pause(lengthSeconds * 1_000).finally(goOn);
  const { left, groups, membersAfter, messagesAfter } = await allBack(hanging);
  const failures = left.map(({ group, hasMember, isUpTo }) => {
    const what = [...(hasMember ? [] : ['no member']), ...(isUpTo ? [] : ['messages not applied'])];
    return `${group} after a hang of ${lengthSeconds} s: ${what.join(', ')}`;
  });
  const told =
    failures.length > 0
      ? failures.join('; ')
      : `the members of ${groups} groups were back after ${seconds(membersAfter)}, their messages applied after ${seconds(messagesAfter)}`;
  print(`Kafka hung for ${lengthSeconds} s: ${told}`);
  return failures;
}

/** Waits until all groups are; `left` are those that are not within a minute. */
async function allBack(hanging: Hanging) {
  const startedAt = performance.now();
  const allTopics = Object.values(topics).map(({ name }) => name);
  const groupsOf = await allGroups(hanging);
  const ends = await patiently(() => hanging.kafka.endOffsets(allTopics));
  let membersAfter = 0;
  let messagesAfter = 0;
  for (;;) {
    const states = await patiently(() => statesOf(hanging, groupsOf, ends));
    const now = performance.now() - startedAt;
    if (!membersAfter && states.every(({ hasMember }) => hasMember)) membersAfter = now;
    if (!messagesAfter && states.every(({ isUpTo }) => isUpTo)) messagesAfter = now;
    const left = states.filter(({ hasMember, isUpTo }) => !hasMember || !isUpTo);
    if (left.length === 0 || now > withinMilliseconds)
      return { left, groups: states.length, membersAfter, messagesAfter };
    await pause(everyMilliseconds);
  }
}

async function allGroups({ pools }: Hanging) {
  return Promise.all(serviceNames.map(async (service) => ({ service, groups: await groupsIn(pools[service]) })));
}

async function statesOf(
  { kafka, pools }: Hanging,
  groupsOf: Awaited<ReturnType<typeof allGroups>>,
  ends: Awaited<ReturnType<Kafka['endOffsets']>>,
): Promise<GroupState[]> {
  const described = await kafka.describeGroups(groupsOf.flatMap(({ groups }) => groups.map(({ name }) => name)));
  const before = { endOffsets: () => Promise.resolve(ends) };
  const lags = await Promise.all(groupsOf.map(({ service, groups }) => lagOf(pools[service], before, groups)));
  return described.map(({ group, state, members: count }) => ({
    group,
    hasMember: state === 'Stable' && count > 0,
    isUpTo: lags.flat().every((lag) => lag.group !== group || lag.messages === 0),
  }));
}

/** While Kafka comes back it answers some questions with errors. */
async function patiently<Result>(question: () => Promise<Result>): Promise<Result> {
  for (const until = performance.now() + withinMilliseconds; ;) {
    try {
      return await question();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(everyMilliseconds);
    }
  }
}

/** Members who log on and on; each log is asked for under one key until it is acknowledged. */
class Load {
  private readonly url: string;
  private readonly people: readonly Member[];
  private running: Promise<void>[] = [];
  private isOver = false;

  constructor(url: string, people: readonly Member[]) {
    this.url = url;
    this.people = people;
  }

  get acknowledged(): number {
    return this.people.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  start(): void {
    this.running = Array.from({ length: clients }, (_, client) => this.log(client));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async log(client: number): Promise<void> {
    for (let nth = client; !this.isOver; nth += clients) {
      const member = this.people[nth % this.people.length];
      if (!member) throw new Error('nobody logs');
      await logOnce(this.url, member, `amid-hangs-${nth}`, 10);
      await pause(everyMilliseconds / 2);
    }
  }
}
