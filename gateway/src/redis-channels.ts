import { randomUUID } from 'node:crypto';
import { liveAnnouncementSchema, type LiveWanted, type OpenPagesNote } from '@caravan/contracts/http/live';
import { formatPositions, parsePositions } from '@caravan/contracts/log-position';
import { toldLately } from '@caravan/service-kit/live-told';
import { channelName, type Redis } from '@caravan/service-kit/redis';
import type { LiveChannel, LiveHub } from './live/hub.ts';
import { z } from 'zod';
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
const keyOf = (userId: string) => `positions:${userId}`;

export class RedisChannels implements PositionCache, LiveChannel {
  private readonly subscriber: Redis;
  private readonly commands: Redis;
  private readonly name = randomUUID();
  private heardSince: number | undefined;

  constructor(commands: Redis, subscriber: Redis) {
    this.commands = commands;
    this.subscriber = subscriber;
  }

  async listen(positions: SharedPositions, hub: LiveHub): Promise<void> {
    const ofPositions = channelName(this.commands, positionsChannel);
    const livePrefix = channelName(this.commands, 'live:');
    this.subscriber.on('close', () => (this.heardSince = undefined));
    this.subscriber.on('ready', () => {
      this.heardSince = Date.now();
      hub.resume();
    });
    this.subscriber.on('message', (channel: string, message: string) => {
      if (channel === ofPositions) hearPosition(positions, message);
      else if (channel.startsWith(livePrefix)) hearChange(hub, channel.slice(livePrefix.length), message);
    });
    await this.subscriber.subscribe(ofPositions);
    this.heardSince = Date.now();
  }

  async read(userId: string) {
    const written = await this.commands.get(keyOf(userId));
    return written === null ? undefined : parsePositions(written);
  }

  announce(userId: string, positions: Parameters<PositionCache['announce']>[1], forMilliseconds: number): void {
    const written = formatPositions(positions);
    // Lost while Redis is away: then only this gateway knows, which is the one the member talks to.
    this.commands.set(keyOf(userId), written, 'PX', forMilliseconds).catch(() => undefined);
    this.commands.publish(channelName(this.commands, positionsChannel), `${userId} ${written}`).catch(() => undefined);
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

function hearPosition(positions: SharedPositions, message: string): void {
  const [userId, written] = message.split(' ');
  if (userId && written) positions.hear(userId, parsePositions(written));
}

function hearChange(hub: LiveHub, orgId: string, message: string): void {
  const change = announcementSchema.safeParse(message);
  if (change.success) hub.deliver(orgId, change.data);
}
