import { randomUUID } from 'node:crypto';
import { liveAnnouncementSchema, type LiveWanted, type OpenPagesNote } from '@caravan/contracts/http/live';
import { formatPositions, type LogPositions, parsePositions } from '@caravan/contracts/events/log-position';
import { recentAnnouncements } from '@caravan/service-kit/live/live-announcements';
import { channelName, type Redis, redisDependency } from '@caravan/service-kit/storage/redis';
import type { LiveChannel, LiveHub } from './hub.ts';
import { z } from 'zod';
import { shownMilliseconds } from '../routing/min-position.ts';
import type { PositionCache, SharedPositions } from '../routing/shared-positions.ts';

/** Anything may stand on a channel; it must not end the gateway. */
const announcementSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(liveAnnouncementSchema);

/** A gateway that says nothing for so long is gone, and its pages with it. */
export const notedMilliseconds = 60_000;

const positionsChannel = 'positions';
/** Of a gateway that has just come. */
const hello = 'hello';
/** One row a member, kept by the hour in which it was written. */
const keyOf = (hour: number) => `positions:${hour}`;
const hourOf = (now: number) => Math.floor(now / shownMilliseconds);
const keptMilliseconds = 2 * shownMilliseconds;

export class RedisChannels implements PositionCache, LiveChannel {
  private readonly subscriber: Redis;
  private readonly commands: Redis;
  private readonly name = randomUUID();
  private heardSince: number | undefined;
  /** Others are there until Redis has said that this gateway listens alone. */
  private isAlone = false;
  private newcomers = 0;
  private catchingUp: Promise<void> | undefined;

  constructor(commands: Redis, subscriber: Redis) {
    this.commands = commands;
    this.subscriber = subscriber;
  }

  async listen(positions: SharedPositions, hub: LiveHub): Promise<void> {
    const ofPositions = channelName(this.commands, positionsChannel);
    const livePrefix = channelName(this.commands, 'live:');
    this.subscriber.on('close', () => {
      this.heardSince = undefined;
      this.isAlone = false;
    });
    this.subscriber.on('ready', () => {
      this.heardSince = Date.now();
      hub.resume();
    });
    this.subscriber.on('message', (channel: string, message: string) => {
      if (channel === ofPositions) this.hear(positions, message);
      else if (channel.startsWith(livePrefix)) hearChange(hub, channel.slice(livePrefix.length), message);
    });
    await this.subscriber.subscribe(ofPositions);
    this.heardSince = Date.now();
    // Others that have been alone store at once what this one may be asked for, and publish from now on.
    this.commands.publish(ofPositions, `${hello} ${this.name}`).catch(() => undefined);
  }

  async read(userId: string) {
    const hour = hourOf(Date.now());
    const found = await Promise.all([hour - 1, hour].map((each) => this.commands.hget(keyOf(each), userId)));
    const [before, latest] = found.map((written) => (written === null ? undefined : parsePositions(written)));
    return latest ? { ...before, ...latest } : before;
  }

  // One pipeline, no transaction: a Redis whose memory is full refuses to store and still publishes.
  async store(positions: ReadonlyMap<string, LogPositions>): Promise<void> {
    const key = keyOf(hourOf(Date.now()));
    const words = serializedPositions(positions);
    const commands: Promise<unknown>[] = [
      this.commands.hset(key, ...words),
      this.commands.pexpire(key, keptMilliseconds),
    ];
    if (this.hasOthers())
      commands.push(this.commands.publish(channelName(this.commands, positionsChannel), words.join(' ')));
    const outcomes = await Promise.allSettled(commands);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  hasOthers(): boolean {
    return !this.isAlone;
  }

  hearsSince(): number | undefined {
    return this.heardSince;
  }

  /** Requests of one turn share a ping. One that comes later needs its own, since its write may have come later too. */
  catchUp(): Promise<void> {
    this.catchingUp ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.catchingUp = undefined;
        this.ping().then(resolve, reject);
      });
    });
    return this.catchingUp;
  }

  /** Redis answers on the connection that subscribes, so behind all messages that it had taken before. */
  private async ping(): Promise<void> {
    const { heardSince } = this;
    if (heardSince === undefined || this.subscriber.status !== 'ready') throw new Error('positions may be missed');
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      if (this.heardSince === heardSince) this.heardSince = undefined;
      reject(new Error('Redis did not answer in time'));
    }, redisDependency.budgetMilliseconds);
    const ponged = this.subscriber.ping().then(() => {
      if (this.subscriber.status === 'ready') this.heardSince ??= Date.now();
    });
    await Promise.race([ponged, late]).finally(() => clearTimeout(timer));
  }

  /** Once a second: stores what was written since and asks who else listens. Rejects without Redis. */
  async look(positions: SharedPositions): Promise<void> {
    const since = this.heardSince;
    const newcomers = this.newcomers;
    const asked = Promise.all([
      this.commands.pubsub('NUMSUB', channelName(this.commands, positionsChannel)),
      positions.store(),
    ]);
    asked.catch(() => (this.isAlone = false));
    const [numbers] = await asked;
    // An answer from before a newcomer or a break says nothing of what is now.
    const isCurrent = since !== undefined && since === this.heardSince && newcomers === this.newcomers;
    this.isAlone = isCurrent && numbers[1] === 1;
  }

  private hear(positions: SharedPositions, message: string): void {
    if (!message.startsWith(`${hello} `)) return hearPositions(positions, message);
    if (message === `${hello} ${this.name}`) return;
    this.newcomers += 1;
    this.isAlone = false;
    this.look(positions).catch(() => undefined);
  }

  // ioredis subscribes again after a break; pages may have missed something and are told so.
  async subscribe(orgId: string): Promise<void> {
    await this.subscriber.subscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
  }

  recentAnnouncements(orgId: string) {
    return recentAnnouncements(this.commands, orgId);
  }

  unsubscribe(orgId: string): void {
    this.subscriber.unsubscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
  }

  // In this order: who hears what is wanted finds who wants it. Lost: pages ask by themselves.
  async note(
    orgId: string,
    open: Pick<OpenPagesNote, 'pages' | 'groups'>,
    wanted: LiveWanted['wanted'],
  ): Promise<void> {
    const key = `pages:${orgId}`;
    const note: OpenPagesNote = { until: Date.now() + notedMilliseconds, ...open };
    const noted = this.commands.multi();
    if (open.pages === 0) noted.hdel(key, this.name);
    else noted.hset(key, this.name, JSON.stringify(note)).pexpire(key, notedMilliseconds);
    if (wanted.length > 0) {
      const message: LiveWanted = { id: randomUUID(), orgId, wanted };
      noted.publish(channelName(this.commands, 'live-requests'), JSON.stringify(message));
    }
    await noted.exec();
  }
}

/** By turns who and what. */
const serializedPositions = (positions: ReadonlyMap<string, LogPositions>): string[] =>
  [...positions].flatMap(([userId, each]) => [userId, formatPositions(each)]);

function hearPositions(positions: SharedPositions, message: string): void {
  const words = message.split(' ');
  for (let at = 0; at + 1 < words.length; at += 2) positions.hear(words[at] ?? '', parsePositions(words[at + 1] ?? ''));
}

function hearChange(hub: LiveHub, orgId: string, message: string): void {
  const change = announcementSchema.safeParse(message);
  if (change.success) hub.deliver(orgId, change.data);
}
