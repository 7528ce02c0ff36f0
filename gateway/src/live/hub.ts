import { adminKinds, liveKinds as everything } from '@caravan/contracts/http/live';
import type { LiveAnnouncement, LiveKind, LiveMessage, LivePart, LiveWanted } from '@caravan/contracts/http/live';
import { kindOfTopic, type LiveTopic } from '@caravan/contracts/domain/live-topics';

type Listener = (message: LiveMessage) => void;
export type Reader = {
  readonly orgId: string;
  readonly userId: string;
  readonly shows?: readonly LiveTopic[] | undefined;
  /** As the token says: a change of role ends the session, and its pages with it. */
  readonly isAdmin?: boolean;
  /** Has not listened before. */
  readonly isFirst?: boolean;
};
export type Group = LiveWanted['wanted'][number];

export type LiveChannel = {
  /** Resolves as soon as what is told is heard. */
  subscribe(orgId: string): Promise<void>;
  recentAnnouncements(orgId: string): Promise<readonly { readonly told: LiveAnnouncement; readonly ago: number }[]>;
  unsubscribe(orgId: string): void;
  /** Rejects when Redis did not take the note. */
  note(orgId: string, open: { readonly pages: number; readonly groups: Group[] }, wanted: Group[]): Promise<void>;
};

const noteMilliseconds = 100;
/** Told before requests get their turn again: a thousand pages take some 80 ms. */
const pagesAtOnce = 32;

type Organisation = {
  readonly listeners: Map<Listener, Reader>;
  readonly turns: Map<LiveTopic, number>;
  subscribed: Promise<void>;
  came: Reader[];
  noting: ReturnType<typeof setTimeout> | undefined;
  pagesAtAllGateways: number;
  readonly due: Delivery[];
};

type Delivery = {
  readonly announcement: LiveAnnouncement;
  readonly parts: readonly Indexed[];
  pages?: MapIterator<[Listener, Reader]>;
};

export class LiveHub {
  private readonly organisations = new Map<string, Organisation>();
  private readonly endings = new Map<string, Set<() => void>>();
  private readonly channel: LiveChannel;

  constructor(channel: LiveChannel) {
    this.channel = channel;
  }

  listen(reader: Reader, listener: Listener): () => void {
    const { orgId } = reader;
    const known = this.organisations.get(orgId);
    const organisation = known ?? newOrganisation();
    organisation.listeners.set(listener, reader);
    organisation.came.push(reader);
    this.organisations.set(orgId, organisation);
    if (!known) organisation.subscribed = this.channel.subscribe(orgId);
    // While Redis is away nobody can tell; once it is back every page is told that anything may have changed.
    if (reader.isFirst) this.tellMissed(organisation, reader, listener).catch(() => undefined);
    this.noteSoon(orgId, organisation);
    return () => {
      organisation.listeners.delete(listener);
      if (this.organisations.get(orgId) !== organisation) return;
      this.noteSoon(orgId, organisation);
      if (organisation.listeners.size > 0) return;
      this.organisations.delete(orgId);
      this.channel.unsubscribe(orgId);
    };
  }

  private async tellMissed(organisation: Organisation, reader: Reader, listener: Listener): Promise<void> {
    await organisation.subscribed;
    const lately = await this.channel.recentAnnouncements(reader.orgId);
    if (!organisation.listeners.has(listener)) return;
    for (const { told: announcement, ago } of lately)
      tell((message) => listener({ ...message, missed: ago }), reader, { announcement, parts: [] });
  }

  pagesOf(orgId: string): number {
    const { listeners, pagesAtAllGateways } = this.organisations.get(orgId) ?? newOrganisation();
    return Math.max(listeners.size, pagesAtAllGateways);
  }

  /** News may have been missed: every page asks anew. */
  resume(): void {
    for (const [orgId, organisation] of this.organisations) {
      organisation.turns.clear();
      organisation.came = [...organisation.listeners.values()];
      this.deliver(orgId, { kinds: [...everything] });
      this.noteSoon(orgId, organisation);
    }
  }

  async noteAll(): Promise<void> {
    await Promise.all([...this.organisations].map(([orgId, organisation]) => this.noteNow(orgId, organisation)));
  }

  deliver(orgId: string, announcement: LiveAnnouncement): void {
    const organisation = this.organisations.get(orgId);
    if (!organisation) return;
    if (announcement.pages !== undefined) organisation.pagesAtAllGateways = announcement.pages;
    const parts = (announcement.parts ?? []).filter((part) => isNews(organisation, part)).map(indexPart);
    organisation.due.push({ announcement, parts });
    if (organisation.due.length === 1) deliverDue(organisation);
  }

  listenForEnd(sessionId: string, ended: () => void): () => void {
    this.endings.set(sessionId, (this.endings.get(sessionId) ?? new Set()).add(ended));
    return () => {
      const waiting = this.endings.get(sessionId);
      waiting?.delete(ended);
      if (waiting?.size === 0) this.endings.delete(sessionId);
    };
  }

  endSession(sessionId: string): void {
    for (const ended of this.endings.get(sessionId) ?? []) ended();
  }

  private noteSoon(orgId: string, organisation: Organisation): void {
    const note = () => void this.noteNow(orgId, organisation).catch(() => undefined);
    organisation.noting ??= setTimeout(note, noteMilliseconds).unref();
  }

  private async noteNow(orgId: string, organisation: Organisation): Promise<void> {
    clearTimeout(organisation.noting);
    organisation.noting = undefined;
    const { listeners, came } = organisation;
    organisation.came = [];
    // A page that came and went took the organisation along: the note of another stands.
    if (listeners.size === 0 && this.organisations.has(orgId)) return;
    await this.channel.note(
      orgId,
      { pages: listeners.size, groups: groupsOf([...listeners.values()]) },
      groupsOf(came),
    );
  }
}

const newOrganisation = (): Organisation => ({
  listeners: new Map(),
  turns: new Map(),
  subscribed: Promise.resolve(),
  came: [],
  noting: undefined,
  pagesAtAllGateways: 0,
  due: [],
});

function deliverDue(organisation: Organisation): void {
  const { due, listeners } = organisation;
  for (let told = 0; due[0];) {
    const { announcement, parts } = due[0];
    const pages = (due[0].pages ??= new Map(listeners).entries());
    if (told === pagesAtOnce) return void setImmediate(() => deliverDue(organisation));
    const next = pages.next();
    if (next.done) due.shift();
    else if (listeners.has(next.value[0])) {
      tell(...next.value, { announcement, parts });
      told += 1;
    }
  }
}

function tell(listener: Listener, { userId, shows, isAdmin }: Reader, { announcement, parts }: Delivery): void {
  const { persons = {}, teams, pages } = announcement;
  const kinds = isAdmin ? announcement.kinds : announcement.kinds.filter((kind) => !adminKinds.has(kind));
  const own = persons[userId] ?? [];
  const message = { kinds, ...(teams && { teams }) };
  const told = shows
    ? { ...withParts(message, parts, { userId, shows, own }), ...(own.length > 0 && { own }) }
    : { ...message, kinds: [...new Set([...kinds, ...own])] };
  if (told.kinds.length + own.length > 0 || teams || 'shown' in told)
    listener({ ...told, ...(shows && pages !== undefined && { pages }) });
}

function groupsOf(readers: readonly Reader[]): Group[] {
  const groups = new Map<string, { topics: LiveTopic[]; readers: Set<string> }>();
  for (const { userId, shows = [] } of readers) {
    if (shows.length === 0) continue;
    const topics = shows.toSorted();
    const group = groups.get(topics.join()) ?? { topics, readers: new Set() };
    groups.set(topics.join(), group);
    group.readers.add(userId);
  }
  return [...groups.values()].map(({ topics, readers: theirs }) => ({ topics, readers: [...theirs] }));
}

/** A part that was read before the last one and comes after it is old news. */
function isNews({ turns }: Organisation, { topic, turn, only }: LivePart): boolean {
  if (turn < (turns.get(topic) ?? 0)) return false;
  if (only === undefined) turns.set(topic, turn);
  return true;
}

type Indexed = {
  readonly topic: LiveTopic;
  readonly kind: LiveKind;
  readonly all: object;
  readonly only: ReadonlySet<string> | undefined;
  readonly some: ReadonlyMap<string, object>;
  readonly ask: ReadonlySet<string>;
};

function indexPart({ topic, all, some, ask, only }: LivePart): Indexed {
  const byReader = new Map<string, object>();
  for (const { to, data } of some) for (const userId of to) byReader.set(userId, { ...byReader.get(userId), ...data });
  return { topic, kind: kindOfTopic[topic], all, only: only && new Set(only), some: byReader, ask: new Set(ask) };
}

/** What the reader sees otherwise than others, the page asks for itself. */
function withParts(
  message: Pick<LiveMessage, 'kinds' | 'teams'>,
  parts: readonly Indexed[],
  { userId, shows, own }: { userId: string; shows: readonly LiveTopic[]; own: readonly LiveKind[] },
) {
  const shown: Record<string, object> = {};
  const kinds = new Set(message.kinds);
  const ofSome = new Set([...own, ...Object.values(message.teams ?? {}).flat()]);
  for (const { topic, kind, all, only, some, ask } of parts.filter((part) => shows.includes(part.topic))) {
    const isMeant = only === undefined || only.has(userId);
    const theirs = some.get(userId);
    if (ask.has(userId)) kinds.add(kind);
    else if (isMeant || theirs || ofSome.has(kind)) shown[topic] = { ...(isMeant && all), ...theirs };
  }
  const isAny = Object.keys(shown).length > 0;
  return { ...message, kinds: [...kinds], ...(isAny && { shown: shown as LiveMessage['shown'] & {} }) };
}
