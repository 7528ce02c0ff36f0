import { liveKinds as everything } from '@caravan/contracts/http/live';
import type { LiveAnnouncement, LiveKind, LiveMessage, LivePart, LiveWanted } from '@caravan/contracts/http/live';
import { kindOfTopic, type LiveTopic } from '@caravan/contracts/live-topics';

/** Sends what changed in one organisation to a page that is open. */
type Listener = (message: LiveMessage) => void;
/** Whose page is open, and what it shows of what the stream can carry; a page that does not say so is told kinds alone. */
export type Reader = {
  readonly orgId: string;
  readonly userId: string;
  readonly shows?: readonly LiveTopic[] | undefined;
};
/** Who shows the same. */
export type Group = LiveWanted['wanted'][number];

/** What this gateway hears of an organisation, and says of its open pages. */
export type LiveChannel = {
  subscribe(orgId: string): void;
  unsubscribe(orgId: string): void;
  /** Pages came, went or show something else; `wanted` is what some of them have yet to get. */
  note(orgId: string, open: { readonly pages: number; readonly groups: Group[] }, wanted: Group[]): void;
};

/** Pages that come within so long are said together. */
const noteMilliseconds = 100;
/** So many pages are told at once; then requests have their turn: a thousand pages are some 80 ms of writing. */
const pagesAtOnce = 32;

type Organisation = {
  readonly listeners: Map<Listener, Reader>;
  /** The newest turn of each topic that was delivered. */
  readonly turns: Map<LiveTopic, number>;
  /** Pages that came since the last note. */
  came: Reader[];
  noting: ReturnType<typeof setTimeout> | undefined;
  /** Open pages at all gateways, as services said last. */
  told: number;
  /** What pages are being told, and what they are told next. */
  readonly due: Delivery[];
};

type Delivery = {
  readonly announcement: LiveAnnouncement;
  readonly parts: readonly Indexed[];
  /** Who has yet to hear of it; those who are there when its turn comes. */
  pages?: MapIterator<[Listener, Reader]>;
};

/** The open pages of this gateway by organisation; one subscription per organisation, however many pages. */
export class LiveHub {
  private readonly organisations = new Map<string, Organisation>();
  private readonly endings = new Map<string, Set<() => void>>();
  private readonly channel: LiveChannel;

  constructor(channel: LiveChannel) {
    this.channel = channel;
  }

  /** Answers the function that ends it. */
  listen(reader: Reader, listener: Listener): () => void {
    const { orgId } = reader;
    const known = this.organisations.get(orgId);
    const organisation = known ?? newOrganisation();
    organisation.listeners.set(listener, reader);
    organisation.came.push(reader);
    this.organisations.set(orgId, organisation);
    if (!known) this.channel.subscribe(orgId);
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

  /** How many pages of an organisation are open, as far as is known here. */
  pagesOf(orgId: string): number {
    const { listeners, told } = this.organisations.get(orgId) ?? newOrganisation();
    return Math.max(listeners.size, told);
  }

  /** News may have been missed: every page is told that anything may have changed, and is told anew what it shows. */
  resume(): void {
    for (const [orgId, organisation] of this.organisations) {
      organisation.turns.clear();
      organisation.came = [...organisation.listeners.values()];
      this.deliver(orgId, { kinds: [...everything] });
      this.noteSoon(orgId, organisation);
    }
  }

  /** Says of every organisation again who listens, before others take this gateway for gone. */
  noteAll(): void {
    for (const [orgId, organisation] of this.organisations) this.noteNow(orgId, organisation);
  }

  /**
   * To every open page of the organisation what concerns everybody, and to each what concerns its own reader. Each page
   * hears everything in order; of many, the later ones hear it after the requests that have come meanwhile.
   */
  deliver(orgId: string, announcement: LiveAnnouncement): void {
    const organisation = this.organisations.get(orgId);
    if (!organisation) return;
    if (announcement.pages !== undefined) organisation.told = announcement.pages;
    const parts = (announcement.parts ?? []).filter((part) => isNews(organisation, part)).map(indexed);
    organisation.due.push({ announcement, parts });
    if (organisation.due.length === 1) deliverDue(organisation);
  }

  /** Calls back once when a session ends, so that its open page is closed; answers the function that stops waiting. */
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
    organisation.noting ??= setTimeout(() => this.noteNow(orgId, organisation), noteMilliseconds).unref();
  }

  private noteNow(orgId: string, organisation: Organisation): void {
    clearTimeout(organisation.noting);
    organisation.noting = undefined;
    const { listeners, came } = organisation;
    organisation.came = [];
    // A page that came and went has taken the organisation along: another one's note stands.
    if (listeners.size === 0 && this.organisations.has(orgId)) return;
    this.channel.note(orgId, { pages: listeners.size, groups: groupsOf([...listeners.values()]) }, groupsOf(came));
  }
}

const newOrganisation = (): Organisation => ({
  ...{ listeners: new Map(), turns: new Map(), came: [], noting: undefined, told: 0, due: [] },
});

/** Tells pages what is due until so many have been told, then goes on after what came in meanwhile. */
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

function tell(listener: Listener, { userId, shows }: Reader, { announcement, parts }: Delivery): void {
  const { kinds, persons = {}, teams, pages } = announcement;
  const own = persons[userId] ?? [];
  const message = { kinds, ...(teams && { teams }) };
  const told = shows
    ? { ...withParts(message, parts, { userId, shows, own }), ...(own.length > 0 && { own }) }
    : { ...message, kinds: [...new Set([...kinds, ...own])] };
  // Which team its reader is in, the page knows.
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

/** What was read before what pages have already, and comes later, is old news. */
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

function indexed({ topic, all, some, ask, only }: LivePart): Indexed {
  const byReader = new Map<string, object>();
  for (const { to, data } of some) for (const userId of to) byReader.set(userId, { ...byReader.get(userId), ...data });
  return { topic, kind: kindOfTopic[topic], all, only: only && new Set(only), some: byReader, ask: new Set(ask) };
}

/**
 * What the page shows of what was composed; nothing of a topic that changed for some persons or teams alone, and its
 * reader is not among them. What the reader sees otherwise than others is a reason to ask.
 */
function withParts(
  message: Pick<LiveMessage, 'kinds' | 'teams'>,
  parts: readonly Indexed[],
  { userId, shows, own }: { userId: string; shows: readonly LiveTopic[]; own: readonly LiveKind[] },
) {
  const shown: Record<string, object> = {};
  const kinds = new Set(message.kinds);
  const ofSome = new Set([...own, ...Object.values(message.teams ?? {}).flat()]);
  for (const { topic, kind, all, only, some, ask } of parts.filter((part) => shows.includes(part.topic))) {
    const [isMeant, theirs] = [only === undefined || only.has(userId), some.get(userId)];
    if (ask.has(userId)) kinds.add(kind);
    else if (isMeant || theirs || ofSome.has(kind)) shown[topic] = { ...(isMeant && all), ...theirs };
  }
  const isAny = Object.keys(shown).length > 0;
  return { ...message, kinds: [...kinds], ...(isAny && { shown: shown as LiveMessage['shown'] & {} }) };
}
