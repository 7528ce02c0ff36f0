import { liveAnnouncementSchema } from '@caravan/contracts/http/live';
import { formatPositions, parsePositions } from '@caravan/contracts/log-position';
import { channelName, type Redis } from '@caravan/service-kit/redis';
import type { LiveChannel, LiveHub } from './live/hub.ts';
import { z } from 'zod';
import type { PositionBoard, SharedPositions } from './shared-positions.ts';

/** Anything may stand on a channel: what is no announcement is nobody's news, and must not end the gateway. */
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

const positionsChannel = 'positions';
const keyOf = (userId: string) => `positions:${userId}`;

/** What gateways share over Redis: members' positions, live messages. All of it can be lost. */
export class RedisChannels implements PositionBoard, LiveChannel {
  private readonly subscriber: Redis;
  private readonly commands: Redis;
  private heardSince: number | undefined;

  constructor(commands: Redis, subscriber: Redis) {
    this.commands = commands;
    this.subscriber = subscriber;
  }

  /** Starts to hear; until then, and after a break, the board is asked. */
  async listen(positions: SharedPositions, hub: LiveHub): Promise<void> {
    const ofPositions = channelName(this.commands, positionsChannel);
    const livePrefix = channelName(this.commands, 'live:');
    this.subscriber.on('close', () => (this.heardSince = undefined));
    this.subscriber.on('ready', () => (this.heardSince = Date.now()));
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

  announce(userId: string, positions: Parameters<PositionBoard['announce']>[1], forMilliseconds: number): void {
    const written = formatPositions(positions);
    // Lost while Redis is away: then only this gateway knows, which is the one the member talks to.
    this.commands.set(keyOf(userId), written, 'PX', forMilliseconds).catch(() => undefined);
    this.commands.publish(channelName(this.commands, positionsChannel), `${userId} ${written}`).catch(() => undefined);
  }

  hearsSince(): number | undefined {
    return this.heardSince;
  }

  // ioredis subscribes again by itself after a break; a page that missed something refetches when it comes back.
  subscribe(orgId: string): void {
    this.subscriber.subscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
  }

  unsubscribe(orgId: string): void {
    this.subscriber.unsubscribe(channelName(this.commands, `live:${orgId}`)).catch(() => undefined);
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
