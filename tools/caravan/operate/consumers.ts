import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { groupsIn, type Lag, lagOf } from '@caravan/messaging/operator/lag';
import { z } from 'zod';
import { fine, type Finding, wrong } from './deployment/installation.ts';

const manyMessages = 10_000;
const standsStillMs = 10_000;
const everyMs = 250;
const answerMs = 5_000;

type ServiceAddress = {
  readonly url: string;
  /** Where the service has its figures. */
  readonly metricsUrl: string;
  readonly serviceCredential: string;
};

type ServiceConsumers = ServiceAddress & {
  readonly name: string;
  readonly pool: Tx;
  readonly kafka: Pick<Kafka, 'endOffsets' | 'describeGroups'>;
  /** How long a backlog is watched before the group counts as standing still; 10 s unless said otherwise. */
  readonly patienceMs?: number;
};

const readiness = z.object({
  background: z.array(z.object({ kind: z.string(), task: z.string(), problem: z.string() })).optional(),
});

/** The report of a process of the service on its own groups; undefined when it does not answer. */
async function ownWords({ url, metricsUrl, serviceCredential }: ServiceAddress) {
  const ask = (address: string) =>
    fetch(address, {
      headers: { 'x-service-credential': serviceCredential },
      signal: AbortSignal.timeout(answerMs),
    }).then((answer) => answer.text());
  const [ready, figures] = await Promise.all([
    ask(`${url}/health/ready`).then(
      (text) => readiness.parse(JSON.parse(text)),
      () => undefined,
    ),
    ask(metricsUrl).catch(() => ''),
  ]);
  const names = [...figures.matchAll(/^caravan_background_late\{(?=[^}]*kind="consumer")[^}]*task="([^"]+)"/gm)];
  return {
    problems: new Map(
      (ready?.background ?? []).filter(({ kind }) => kind === 'consumer').map(({ task, problem }) => [task, problem]),
    ),
    groups: new Set(names.map(([, name = '']) => name)),
  };
}

/** Topics of which a group applies nothing although messages wait, watched until all have moved. */
async function standingStill(before: readonly Lag[], look: () => Promise<Lag[]>, patienceMs: number): Promise<Lag[]> {
  let standing = before.filter(({ messages }) => messages > 0);
  for (const until = performance.now() + patienceMs; standing.length > 0 && performance.now() < until;) {
    await pause(everyMs);
    const now = await look();
    standing = standing.filter(({ group, topic, applied }) => {
      const found = now.find((lag) => lag.group === group && lag.topic === topic);
      return found !== undefined && found.messages > 0 && found.applied === applied;
    });
  }
  return standing;
}

/** Each group that stands still, has no member or says itself that it is late is a finding that needs somebody. */
export async function consumerFindings(service: ServiceConsumers): Promise<Finding[]> {
  const { name, pool, kafka, patienceMs = standsStillMs } = service;
  const { problems, groups: running } = await ownWords(service);
  const read = await groupsIn(pool);
  // Groups of an earlier release may have left their offsets behind.
  const groups = running.size === 0 ? read : read.filter((group) => running.has(group.name));
  if (groups.length === 0) return [fine(`${name} consumers`, '0 messages are not applied by 0 consumer groups')];
  const look = () => lagOf(pool, kafka, groups);
  const lags = await look();
  const [described, standing] = await Promise.all([
    kafka.describeGroups(groups.map((group) => group.name)),
    standingStill(lags, look, patienceMs),
  ]);
  const ill = groups.flatMap((group) => {
    const messages = lags.filter((lag) => lag.group === group.name).reduce((sum, lag) => sum + lag.messages, 0);
    const members = described.find((one) => one.group === group.name)?.members ?? 0;
    const isStanding = standing.some((lag) => lag.group === group.name);
    const problem = problems.get(group.name);
    const reasons = [
      ...(members === 0 && (running.size > 0 || messages > 0) ? ['no process is a member of it'] : []),
      ...(isStanding ? [`none of a topic was applied within ${Math.round(patienceMs / 1_000)} s`] : []),
      ...(problem === undefined ? [] : [`its process says: ${problem}`]),
    ];
    if (reasons.length === 0) return [];
    return [wrong(`${name} consumers`, `${group.name}: ${messages} messages are not applied; ${reasons.join('; ')}`)];
  });
  const behind = lags.reduce((sum, { messages }) => sum + messages, 0);
  const summary = `${behind} messages are not applied by ${groups.length} consumer groups`;
  return [(behind > manyMessages || ill.length > 0 ? wrong : fine)(`${name} consumers`, summary), ...ill];
}
