import {
  type LiveAnnouncement,
  type LiveKind,
  type LivePart,
  type LiveShown,
  liveWantedSchema,
} from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import { outsideRequests } from '@caravan/event-store/postgres/reading';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Optional } from '@nestjs/common';
import { type BackgroundTask, BackgroundWork } from '../telemetry/background-work.ts';
import { Env, type ServiceEnv } from '../process/env.ts';
import {
  add,
  addText,
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
  textOf,
} from './live-due.ts';
import { LivePublisher, type Turn } from './live-announcements.ts';
import { Log } from '../telemetry/log.ts';
import { channelName, closeRedis, createSubscriber, Redis } from '../storage/redis.ts';

export type { Asked } from './live-due.ts';

/** A millisecond later for each open page, up to a second. */
const shortestTickMilliseconds = 250;
const longestTickMilliseconds = 1_000;
const tickOf = (pages: number) => Math.min(Math.max(pages, shortestTickMilliseconds), longestTickMilliseconds);

const mostCharacters = 16_384;
const lateAfterSeconds = 60;

/** `all` as a stranger may see it, `some` for a few beside it. Who sees something else asks. */
export type Composed<Topic extends LiveTopic> = {
  readonly all: LiveShown[Topic] & {};
  readonly some?: readonly { readonly to: readonly string[]; readonly data: LiveShown[Topic] & {} }[];
  readonly ask?: readonly string[];
};
type Composer = (asked: Asked) => Promise<Composed<LiveTopic>>;

/** Builds an answer that many open pages share once a tick, and sends it with the change (D35, design/live-pages.md). */
@Injectable()
export class Live implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly due = new Map<string, Due>();
  private readonly composers = new Map<LiveTopic, Composer>();
  private readonly publisher: LivePublisher;
  private readonly task: BackgroundTask;
  /** Organisations whose message is being composed or could not be sent. */
  private readonly unsent = new Set<string>();
  /** Organisations for which another process had the turn when this one looked last. */
  private readonly handedOver = new Set<string>();
  private subscriber: Redis | undefined;

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
    @Inject(BackgroundWork) private readonly background: BackgroundWork,
    @Optional() @Inject(Env) private readonly env?: ServiceEnv,
  ) {
    this.publisher = new LivePublisher(redis, env?.SERVICE_NAME ?? 'service');
    this.task = background.register({
      kind: 'queue',
      name: 'live-messages',
      lateAfterSeconds,
      hasWork: () => this.unsent.size > 0,
    });
  }

  compose<Topic extends LiveTopic>(topic: Topic, composer: (asked: Asked) => Promise<Composed<Topic>>): void {
    this.composers.set(topic, composer);
  }

  onApplicationBootstrap(): void {
    if (!this.env || this.composers.size === 0) return;
    const { background, log } = this;
    this.subscriber = createSubscriber({ url: this.env.REDIS_URL, name: 'live-requests', log, background });
    this.subscriber.on('message', (_channel: string, text: string) => this.want(text));
    this.subscriber.subscribe(channelName(this.redis, 'live-requests')).catch((error: unknown) => {
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
    if (data.wanted.some(({ topics }) => topics.some((topic) => this.composers.has(topic))))
      this.note(data.orgId, (due) => due.requests.set(data.id, data));
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
    this.unsent.add(orgId);
    let milliseconds = longestTickMilliseconds;
    try {
      milliseconds = await this.takeTurn(orgId, due, next);
      this.unsent.delete(orgId);
      this.task.recordSuccess();
    } catch (error) {
      // Gateways hear nothing of it while their own connections may hold: pages would stay wrong.
      addUnsaid(next, due);
      this.task.recordFailure(error);
      this.log.debug({ err: error, orgId }, 'live message not sent, and kept until Redis is back');
    }
    setTimeout(() => this.endPause(orgId), milliseconds).unref();
  }

  private endPause(orgId: string): void {
    const due = this.due.get(orgId) ?? nothingDue();
    this.due.delete(orgId);
    if (isAnythingDue(due) || this.handedOver.has(orgId)) void this.tick(orgId, due);
  }

  /** Returns after how many milliseconds the next turn may be taken. */
  private async takeTurn(orgId: string, due: Due, next: Due): Promise<number> {
    const turn = await this.publisher.turn(orgId, textOf(due), [...due.requests.keys()]);
    if (turn.is === 'later') {
      // The process that has the turn may end before it publishes: whoever looks next finds what was handed over.
      this.handedOver.add(orgId);
      for (const [id, request] of due.requests) next.requests.set(id, request);
      return turn.milliseconds;
    }
    this.handedOver.delete(orgId);
    if (turn.is === 'nothing') return 0;
    for (const text of turn.handedOver) addText(due, text);
    for (const id of turn.open) this.addRequest(due, id);
    due.requests.clear();
    return this.publishDue(orgId, due, turn);
  }

  private addRequest(due: Due, id: string): void {
    const request = due.requests.get(id);
    if (request) addWanted(due, request, (topic) => this.composers.has(topic));
  }

  private async publishDue(orgId: string, due: Due, { now: turn, notes }: Turn & { is: 'now' }): Promise<number> {
    // Redis' clock decides: reads from now on see all that was committed before.
    const open = openPagesOf(notes, turn / 1_000);
    const readAt = performance.now();
    const parts = await this.partsOf(orgId, due, { open, turn });
    const { kinds, persons, teams } = due;
    const announcement: LiveAnnouncement = {
      kinds: [...kinds],
      ...(persons.size > 0 && { persons: kindsByName(persons) }),
      ...(teams.size > 0 && { teams: kindsByName(teams) }),
      ...(parts.length > 0 && { parts }),
      ...(open.pages > 0 && { pages: open.pages }),
    };
    const isNews = kinds.size + persons.size + teams.size > 0;
    const milliseconds = tickOf(open.pages);
    if (isNews || parts.length > 0) {
      const at = turn / 1_000 + performance.now() - readAt;
      await this.publisher.tell(orgId, announcement, at, milliseconds);
    } else await this.publisher.giveBack(orgId);
    return milliseconds;
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

const kindsByName = (byName: Due['persons']) =>
  Object.fromEntries([...byName].map(([name, kinds]) => [name, [...kinds]]));
