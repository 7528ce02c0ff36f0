import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { serviceNames, topics } from '@caravan/contracts/events/topics';
import { createPatientRedis } from '@caravan/service-kit/storage/redis';
import { Client } from '@caravan/event-store/postgres/client';
import { z } from 'zod';
import { databaseOf, withKafka } from '../servers/databases.ts';
import { fine, type Finding, wrong } from './deployment/installation.ts';
import type { RunFile } from '../servers/instance-files.ts';

/** Leaves room for the doctor's own slow start on a busy machine. */
const answerMilliseconds = 8_000;

const readinessSchema = z.object({
  problems: z.record(z.string(), z.string()).default({}),
  background: z
    .array(
      z.object({
        kind: z.string(),
        task: z.string(),
        lastSuccessAt: z.string().nullable(),
        lateSeconds: z.number(),
        problem: z.string(),
      }),
    )
    .default([]),
});

type LateWork = z.infer<typeof readinessSchema>['background'][number];

const lateness = ({ kind, task, lastSuccessAt, lateSeconds, problem }: LateWork): string =>
  `${kind} ${task} is ${lateSeconds} s late (last success: ${lastSuccessAt ?? 'none'}): ${problem}`;

/** The report of `/health/ready`: the problems of a process, and its background work that is late. */
export async function processFindings(name: string, url: string): Promise<Finding[]> {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(answerMilliseconds) });
  const { problems, background } = readinessSchema.parse(await answer.json());
  const parts = Object.entries(problems).map(([part, problem]) => `${part}: ${problem}`);
  return [
    ...(answer.ok ? [] : [wrong(name, `is not ready: ${parts.join(', ')}`)]),
    ...background.map((late) => wrong(name, lateness(late))),
  ];
}

/** Answers in time and takes a write: a Redis whose memory is full still answers a ping. */
async function redisWrites(url: string): Promise<void> {
  const redis = createPatientRedis({ url, name: 'doctor' });
  const key = `doctor:${randomUUID()}`;
  try {
    await redis.set(key, 'written', 'EX', 10);
    await redis.del(key);
  } finally {
    redis.disconnect();
  }
}

async function databasesAnswer({ postgres }: RunFile): Promise<void> {
  await Promise.all(
    serviceNames.map(async (service) => {
      const client = new Client({
        connectionString: postgres[service],
        connectionTimeoutMillis: answerMilliseconds,
        query_timeout: answerMilliseconds,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1');
      } catch (error) {
        throw new Error(`${databaseOf(service)}: ${messageOf(error)}`, { cause: error });
      } finally {
        client.end().catch(() => undefined);
      }
    }),
  );
}

const kafkaAnswers = ({ kafka }: RunFile): Promise<unknown> =>
  withKafka(kafka, (client) => client.endOffsets(Object.values(topics).map(({ name }) => name)));

async function httpAnswers(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerMilliseconds), redirect: 'manual' });
  await answer.body?.cancel();
  if (answer.status >= 500) throw new Error(`answers ${answer.status}`);
}

/** A mail server greets first; one that hangs still accepts connections. */
export async function smtpGreets(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const address = { host: hostname, port: Number(port || (isSecure ? 465 : 25)) };
  const socket = isSecure ? connectByTls({ ...address, servername: hostname }) : connect(address);
  try {
    const [greeting] = (await once(socket, 'data', { signal: AbortSignal.timeout(answerMilliseconds) })) as [Buffer];
    if (!greeting.toString().startsWith('220')) throw new Error(`greets with ${greeting.toString().trim()}`);
  } finally {
    socket.destroy();
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'does not answer in time';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`;
};

/** Asks one part. Its own deadline covers clients that wait longer than they were told. */
async function ask(what: string, look: () => Promise<unknown>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('does not answer in time')), answerMilliseconds + 1_000);
  });
  try {
    await Promise.race([look(), late]);
    return fine(what, 'answers');
  } catch (error) {
    return wrong(what, messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}

async function askProcess(name: string, url: string): Promise<Finding[]> {
  try {
    const findings = await processFindings(name, url);
    return findings.length > 0 ? findings : [fine(name, 'is ready')];
  } catch (error) {
    return [wrong(name, messageOf(error))];
  }
}

/** Asks every part of a running instance, each with a deadline. Parts that do not answer come first. */
export async function partFindings(run: RunFile): Promise<Finding[]> {
  const platforms = Object.values(run.platforms).filter((url) => url !== undefined);
  // Loaded first, so that loading it counts against no deadline.
  await import('@caravan/messaging/kafka/kafka');
  const processes = { gateway: run.url, ...run.services };
  const findings = await Promise.all([
    ask('postgres', () => databasesAnswer(run)),
    ask('redis', () => redisWrites(run.redis)),
    ask('kafka', () => kafkaAnswers(run)),
    ask('objects', () => httpAnswers(run.s3.endpoint)),
    ask('mailbox', () => Promise.all([smtpGreets(run.mail.smtp), httpAnswers(`${run.mail.http}/messages`)])),
    ...(platforms.length > 0 ? [ask('simulators', () => Promise.all(platforms.map(httpAnswers)))] : []),
    ...Object.entries(processes).map(([name, url]) => askProcess(name, url)),
  ]);
  const all = findings.flat();
  return [...all.filter(({ mark }) => mark === '✗'), ...all.filter(({ mark }) => mark !== '✗')];
}
