import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { serviceNames } from '@caravan/contracts/events/topics';
import { closeRedis, createPatientRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import { release } from '@caravan/service-kit/telemetry/release';
import { Client } from '@caravan/event-store/postgres/client';
import { processFindings, smtpGreets } from '../parts.ts';
import { fine, type Finding, findingsOf, type Installation, metricsUrlOf, noteworthy, wrong } from './installation.ts';

const answerMilliseconds = 5_000;
/** Signatures of the storage and tokens bear less than a minute; facts are put in order by their clocks. */
const skewSeconds = 2;
const endingDays = 14;
const millisecondsPerDay = 86_400_000;

type Told = { readonly version: string; readonly node: string };

/** What a service says of itself in its figures. */
async function releaseOf(url: string, installation: Installation): Promise<Told | undefined> {
  const answer = await fetch(metricsUrlOf(url, installation), {
    headers: { 'x-service-credential': installation.serviceCredential },
    signal: AbortSignal.timeout(answerMilliseconds),
  });
  const line = /^caravan_release_info\{([^}]*)\}/m.exec(await answer.text())?.[1] ?? '';
  const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(line)?.[1];
  const version = label('version');
  const node = label('node');
  return version === undefined || node === undefined ? undefined : { version, node };
}

async function serviceIs(name: string, url: string, installation: Installation): Promise<Finding> {
  const ready = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(answerMilliseconds) });
  if (!ready.ok) return wrong(name, `is not ready: ${await ready.text()}`);
  const [late] = await processFindings(name, url);
  if (late) return late;
  const told = await releaseOf(url, installation).catch(() => undefined);
  if (!told) return noteworthy(name, 'is ready; its figures, and so its version, cannot be read from here');
  const words = `is ready, version ${told.version} on Node ${told.node}`;
  return told.version === release.version
    ? fine(name, words)
    : noteworthy(name, `${words}; here it is ${release.version}`);
}

async function gatewayIs(url: string): Promise<Finding[]> {
  const findings = await processFindings('gateway', url);
  return findings.length > 0 ? findings : [fine('gateway', 'is ready')];
}

export async function processesAre(installation: Installation): Promise<Finding[]> {
  const all = [
    findingsOf('gateway', () => gatewayIs(installation.publicUrl)),
    ...serviceNames.map((name) => findingsOf(name, () => serviceIs(name, installation.services[name], installation))),
  ];
  return (await Promise.all(all)).flat();
}

type Clock = { readonly of: string; readonly seconds: number };

/** How far a clock is ahead of ours, at least: the time of the question itself is given to it. */
async function aheadBy(of: string, read: () => Promise<Date>, precisionMilliseconds = 0): Promise<Clock> {
  const before = Date.now();
  const there = await read();
  const after = Date.now();
  const early = before - (there.getTime() + precisionMilliseconds);
  const late = there.getTime() - after;
  return { of, seconds: Math.max(early, late, 0) / 1_000 };
}

const databaseClock = async (connectionString: string): Promise<Date> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    return rows[0]?.now ?? new Date(0);
  } finally {
    await client.end();
  }
};

async function httpClock(url: string): Promise<Date> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerMilliseconds) });
  await answer.body?.cancel();
  return new Date(answer.headers.get('date') ?? Number.NaN);
}

async function redisIs(url: string): Promise<Finding[]> {
  const redis = createPatientRedis({ url, name: 'doctor' });
  try {
    if (!(await isRedisReady(redis))) return [wrong('redis', 'does not answer')];
    await redis.set(`doctor:${randomUUID()}`, 'written', 'EX', 10);
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'of an unknown version';
    const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
    const clock = await aheadBy(
      'redis',
      async () => {
        const [seconds] = await redis.time();
        return new Date(Number(seconds) * 1_000);
      },
      1_000,
    );
    const words = `Redis ${version}, evicts by ${policy}`;
    return [
      policy === 'noeviction' ? fine('redis', words) : wrong('redis', `${words}: jobs would be lost; set noeviction`),
      clockIs(clock),
    ];
  } finally {
    await closeRedis(redis);
  }
}

const clockIs = ({ of, seconds }: Clock): Finding =>
  Number.isNaN(seconds)
    ? noteworthy(`clock of ${of}`, 'is not told')
    : (seconds > skewSeconds ? wrong : fine)(
        `clock of ${of}`,
        `${seconds > 0 ? 'at least ' : ''}${seconds.toFixed(1)} s from this one`,
      );

export async function mailServerIs({ mail }: Installation): Promise<Finding[]> {
  if (mail === undefined) return [];
  return findingsOf('mail server', async () => {
    await smtpGreets(mail);
    return fine('mail server', 'greets');
  });
}

export async function redisAndClocks(installation: Installation): Promise<Finding[]> {
  const { databases, redis, storage, publicUrl } = installation;
  const clocks: [string, () => Promise<Date>, number][] = [
    ['PostgreSQL', () => databaseClock(databases.identity.runtime), 0],
    ['the storage', () => httpClock(storage), 1_000],
    ['the gateway', () => httpClock(new URL('/health/live', publicUrl).href), 1_000],
  ];
  const looked = clocks.map(([of, read, precision]) =>
    findingsOf(`clock of ${of}`, async () => clockIs(await aheadBy(of, read, precision))),
  );
  return (await Promise.all([findingsOf('redis', () => redisIs(redis)), ...looked])).flat();
}

/** Until when a certificate is valid; throws for one that browsers would refuse. */
export function certificateEnd({ hostname, port }: URL, authorities?: string): Promise<Date> {
  return new Promise((resolve, reject) => {
    const host = hostname.replaceAll(/[[\]]/g, '');
    const options = { host, port: Number(port || 443), servername: host, ...(authorities && { ca: authorities }) };
    const socket = connect(options, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.setTimeout(answerMilliseconds, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
  });
}

export function certificateIs(what: string, end: Date, now: Date): Finding {
  const days = Math.floor((end.getTime() - now.getTime()) / millisecondsPerDay);
  return (days < endingDays ? wrong : fine)(what, `valid for ${days} days, until ${end.toISOString().slice(0, 10)}`);
}

export async function certificatesAre({ publicUrl, storage, redis }: Installation): Promise<Finding[]> {
  const named = { 'the gateway': publicUrl, 'the storage': storage, redis };
  const all = Object.entries(named).map(async ([of, address]) => {
    const url = new URL(address);
    const what = `certificate of ${of}`;
    if (!['https:', 'rediss:'].includes(url.protocol))
      return of === 'the gateway' ? [noteworthy(what, `${url.origin} has none: people need https`)] : [];
    if (url.protocol === 'rediss:') url.port ||= '6379';
    return findingsOf(what, async () => certificateIs(what, await certificateEnd(url), new Date()));
  });
  return (await Promise.all(all)).flat();
}
