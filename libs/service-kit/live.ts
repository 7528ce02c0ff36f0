import {
  type LiveAnnouncement,
  type LiveKind,
  type LivePart,
  type LiveShown,
  liveWantedSchema,
} from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/live-topics';
import { outsideRequests } from '@caravan/event-store/reading';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Env, type ServiceEnv } from './env.ts';
import {
  add,
  addUnsaid,
  addWanted,
  type Asked,
  askedOf,
  type Audience,
  type Due,
  isAnythingDue,
  jsonOf,
  nothingDue,
  type OpenPages,
  openPagesOf,
} from './live-due.ts';
import { LiveTelling } from './live-told.ts';
import { Log } from './log.ts';
import { channelName, closeRedis, createSubscriber, Redis } from './redis.ts';

export type { Asked } from './live-due.ts';

/** A millisecond later for each open page, up to a second. */
const shortestTickMilliseconds = 250;
const longestTickMilliseconds = 1_000;
const tickOf = (pages: number) => Math.min(Math.max(pages, shortestTickMilliseconds), longestTickMilliseconds);

const mostCharacters = 16_384;

/** `all` as a stranger may see it, `some` for a few beside it. Who sees something else asks. */
export type Composed<Topic extends LiveTopic> = {
  readonly all: LiveShown[Topic] & {};
  readonly some?: readonly { readonly to: readonly string[]; readonly data: LiveShown[Topic] & {} }[];
  readonly ask?: readonly string[];
};
type Composer = (asked: Asked) => Promise<Composed<LiveTopic>>;

/** What is the same for many is composed once a tick and travels with the news (D35, ADR 0036). */
@Injectable()
export class Live implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly due = new Map<string, Due>();
  private readonly composers = new Map<LiveTopic, Composer>();
  private readonly telling: LiveTelling;
  private subscriber: Redis | undefined;

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
    @Optional() @Inject(Env) private readonly env?: ServiceEnv,
  ) {
    this.telling = new LiveTelling(redis);
  }

  compose<Topic extends LiveTopic>(topic: Topic, composer: (asked: Asked) => Promise<Composed<Topic>>): void {
    this.composers.set(topic, composer);
  }

  onApplicationBootstrap(): void {
    if (!this.env || this.composers.size === 0) return;
    this.subscriber = createSubscriber({ url: this.env.REDIS_URL, name: 'live-wanted', log: this.log });
    this.subscriber.on('message', (_channel: string, text: string) => this.want(text));
    this.subscriber.subscribe(channelName(this.redis, 'live-wanted')).catch((error: unknown) => {
      this.log.debug({ err: error }, 'not listening to open pages');
    });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.subscriber) await closeRedis(this.subscriber);
  }

  /** Call after commit; the first message leaves at once, more within a tick as one. Never throws. */
  publish(orgId: string, kinds: readonly LiveKind[], audience: Audience = {}): void {
    this.note(orgId, (due) => add(due, kinds, audience));
  }

  private want(text: string): void {
    const { success, data } = liveWantedSchema.safeParse(jsonOf(text));
    if (!success) return;
    const isOurs = (topic: LiveTopic) => this.composers.has(topic);
    if (data.wanted.some(({ topics }) => topics.some(isOurs)))
      this.note(data.orgId, (due) => addWanted(due, data, isOurs));
  }

  private note(orgId: string, into: (due: Due) => void): void {
    const waiting = this.due.get(orgId);
    const due = waiting ?? nothingDue();
    into(due);
    // News is for all, so what holds for the request, such as only reading, does not hold here.
    if (!waiting) outsideRequests(() => void this.tick(orgId, due));
  }

  /** One message at a time: what is composed never overlaps. */
  private async tick(orgId: string, due: Due): Promise<void> {
    const next = nothingDue();
    this.due.set(orgId, next);
    let milliseconds = longestTickMilliseconds;
    try {
      milliseconds = tickOf(await this.tell(orgId, due));
    } catch (error) {
      // Gateways hear nothing of it while their own connections may hold: pages would stay wrong.
      addUnsaid(next, due);
      this.log.debug({ err: error, orgId }, 'live message not sent, and kept until Redis is back');
    }
    setTimeout(() => this.endPause(orgId), milliseconds).unref();
  }

  private endPause(orgId: string): void {
    const due = this.due.get(orgId);
    this.due.delete(orgId);
    if (due && isAnythingDue(due)) void this.tick(orgId, due);
  }

  private async tell(orgId: string, due: Due): Promise<number> {
    const { open, turn } = await this.openPages(orgId);
    const readAt = performance.now();
    const parts = await this.partsOf(orgId, due, { open, turn });
    const { kinds, persons, teams } = due;
    const announcement: LiveAnnouncement = {
      kinds: [...kinds],
      ...(persons.size > 0 && { persons: told(persons) }),
      ...(teams.size > 0 && { teams: told(teams) }),
      ...(parts.length > 0 && { parts }),
      ...(open.pages > 0 && { pages: open.pages }),
    };
    const isNews = kinds.size + persons.size + teams.size > 0;
    if (!isNews && parts.length === 0) return open.pages;
    await this.telling.tell(orgId, announcement, turn / 1_000 + performance.now() - readAt);
    return open.pages;
  }

  /** By Redis' clock: what is read from now on knows all that was committed before. */
  private async openPages(orgId: string): Promise<{ open: OpenPages; turn: number }> {
    const { now: turn, notes } = await this.telling.open(orgId);
    return { open: openPagesOf(notes, turn / 1_000), turn };
  }

  private async partsOf(
    orgId: string,
    due: Due,
    { open, turn }: { open: OpenPages; turn: number },
  ): Promise<LivePart[]> {
    const parts = [...this.composers].map(async ([topic, composer]) => {
      const asked = askedOf(topic, due, { orgId, at: new Date(turn / 1_000), readers: open.readersOf(topic) });
      if (!asked) return [];
      try {
        const { all, some = [], ask = [] } = await composer(asked);
        if (JSON.stringify(all).length > mostCharacters) return [];
        const only = asked.isForAll ? undefined : [...asked.wanted];
        return [{ topic, turn, all, some, ask, ...(only && { only }) } as LivePart];
      } catch (error) {
        this.log.warn({ err: error, orgId, topic }, 'open pages ask for what was not composed');
        return [];
      }
    });
    return (await Promise.all(parts)).flat();
  }
}

const told = (byName: Due['persons']) => Object.fromEntries([...byName].map(([name, kinds]) => [name, [...kinds]]));
