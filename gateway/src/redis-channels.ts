import { randomUUID } from 'node:crypto';
import { liveAnnouncementSchema, type LiveWanted, type OpenPagesNote } from '@caravan/contracts/http/live';
import { formatPositions, type LogPositions, parsePositions } from '@caravan/contracts/log-position';
import { toldLately } from '@caravan/service-kit/live-told';
import { channelName, type Redis } from '@caravan/service-kit/redis';
import type { LiveChannel, LiveHub } from './live/hub.ts';
import { z } from 'zod';
import { shownMilliseconds } from './min-position.ts';
import type { PositionCache, SharedPositions } from './shared-positions.ts';

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
    // Others that have been alone keep at once what this one may be asked for, and tell from now on.
    this.commands.publish(ofPositions, `${hello} ${this.name}`).catch(() => undefined);
  }

  async read(userId: string) {
    const hour = hourOf(Date.now());
    const found = await Promise.all([hour - 1, hour].map((each) => this.commands.hget(keyOf(each), userId)));
    const [before, latest] = found.map((written) => (written === null ? undefined : parsePositions(written)));
    return latest ? { ...before, ...latest } : before;
  }

  // Lost while Redis is away: then only this gateway knows, which is the one the member talks to.
  tell(positions: Parameters<PositionCache['tell']>[0]): void {
    const message = written(positions).join(' ');
    this.commands.publish(channelName(this.commands, positionsChannel), message).catch(() => undefined);
  }

  hasOthers(): boolean {
    return !this.isAlone;
  }

  /** Once a second: keeps what was written since, in one command for all, and asks who else listens. */
  async look(positions: SharedPositions): Promise<void> {
    const key = keyOf(hourOf(Date.now()));
    const unkept = written(positions.takeUnkept());
    const since = this.heardSince;
    const ofPositions = channelName(this.commands, positionsChannel);
    const [numbers] = await Promise.all([
      this.commands.pubsub('NUMSUB', ofPositions),
      ...(unkept.length > 0 ? [this.commands.hset(key, ...unkept), this.commands.pexpire(key, keptMilliseconds)] : []),
    ]).catch((): [unknown[]] => [[]]);
    this.isAlone = since !== undefined && since === this.heardSince && numbers[1] === 1;
  }

  private hear(positions: SharedPositions, message: string): void {
    if (!message.startsWith(`${hello} `)) return hearPositions(positions, message);
    if (message === `${hello} ${this.name}`) return;
    this.isAlone = false;
    void this.look(positions);
  }

  hearsSince(): number | undefined {
    return this.heardSince;
  }

  // ioredis subscribes again after a break; pages may have missed something and are told so.
  async subscribe(orgId: string): Promise<void> {
    await this.subscriber.subscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
  }

  toldLately(orgId: string) {
    return toldLately(this.commands, orgId);
  }

  unsubscribe(orgId: string): void {
    this.subscriber.unsubscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
  }

  // In this order: who hears what is wanted finds who wants it. Lost: pages ask by themselves.
  note(orgId: string, open: Pick<OpenPagesNote, 'pages' | 'groups'>, wanted: LiveWanted['wanted']): void {
    const key = `pages:${orgId}`;
    const note: OpenPagesNote = { until: Date.now() + notedMilliseconds, ...open };
    const noted = this.commands.multi();
    if (open.pages === 0) noted.hdel(key, this.name);
    else noted.hset(key, this.name, JSON.stringify(note)).pexpire(key, notedMilliseconds);
    if (wanted.length > 0)
      noted.publish(channelName(this.commands, 'live-wanted'), JSON.stringify({ orgId, wanted } satisfies LiveWanted));
    noted.exec().catch(() => undefined);
  }
}

/** By turns who and what. */
const written = (positions: ReadonlyMap<string, LogPositions>): string[] =>
  [...positions].flatMap(([userId, each]) => [userId, formatPositions(each)]);

function hearPositions(positions: SharedPositions, message: string): void {
  const words = message.split(' ');
  for (let at = 0; at + 1 < words.length; at += 2) positions.hear(words[at] ?? '', parsePositions(words[at + 1] ?? ''));
}

function hearChange(hub: LiveHub, orgId: string, message: string): void {
  const change = announcementSchema.safeParse(message);
  if (change.success) hub.deliver(orgId, change.data);
}
