import type { LiveKind, LiveMessage, LiveShown } from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { RetrySchedule } from './backoff.ts';
import { isCovered, isDeep, partTopicsOf, placeShown, topicOf } from './live-shown.ts';
import { keysOf } from './query-keys.ts';

/** A feed that nobody but the reader adds to. */
const isOwnFeed = ({ queryKey: [path, scope] }: Query): boolean =>
  (path === '/api/feed' && scope === 'mine') || (path === '/api/activity-feed' && scope === 'following');

/** Whether a kind of change shows in the query of that key: what belongs to one entry of a feed is no list of entries. */
function isConcerned(kind: LiveKind, key: QueryKey): boolean {
  if (!(keysOf[kind] as readonly unknown[]).includes(key[0])) return false;
  return key[0] !== '/api/feed' || key.length < 3 || key[2] === kind;
}

/** Whether what came is all that a kind of change means for a query. */
function isTold(kind: LiveKind, query: Query, shown: LiveShown): boolean {
  if (kind === 'reactions' || kind === 'comments') return kind in shown && partTopicsOf(query.queryKey).includes(kind);
  const topic = topicOf(query.queryKey);
  return topic !== undefined && topic in shown && !isDeep(query);
}

/** What one tab hears it tells the others. `everything`: the stream was away, anything may have changed. */
export type Heard = LiveMessage | 'everything';

/** What changed is asked for within so long, at random, by the number of the organisation's open pages. */
export const spreadMilliseconds = (pages: number): number => Math.min(pages * 10, 10_000);
/** After each GET a page rests for so long: of a hundred pages or more none asks more often than every ten seconds. */
const restMilliseconds = (pages: number): number => Math.min(pages * 100, 10_000);
/** What concerns the reader alone is asked for by few: at once, and then as often as a page may. */
const ownSpreadMilliseconds = 200;
const ownRestMilliseconds = 1_000;
/** What the stream is about to carry is asked for if it has not come by then. */
const pushWaitMilliseconds = 5_000;
/** A query that is being answered may be answered with what was before: it is looked at again. */
const againMilliseconds = 200;

type Refetch = { readonly at: number; readonly isOwn: boolean };

type Told = { readonly shown: LiveShown; readonly missed: boolean; readonly isOwn: boolean };

type LivePageOptions = {
  readonly queryClient: QueryClient;
  /** Whether somebody looks at the page; a hidden one asks for nothing. */
  readonly isLookedAt: () => boolean;
  /** How many milliseconds ago the page asked for the first of what it has. */
  readonly sinceFirstAsked: () => number;
  /** Of whose team the page is; undefined while that is not known. */
  readonly ownTeamId: () => string | undefined;
  /** From 0 to 1. */
  readonly chance?: () => number;
};

/**
 * Applies live changes to one open page (design/live-pages.md). Data in the stream replaces what is shown. Everything else
 * is marked stale and fetched where it is shown: after a random delay, merged, one request at a time, and less often the
 * more pages are open.
 */
export class LivePage {
  /** How many pages of the organisation are open, as far as is known. */
  pages = 1;
  private readonly refetches = new Map<string, Refetch>();
  /** What came while a query was being answered; the answer may be older. */
  private readonly late = new Map<string, LiveShown[]>();
  private readonly failed = new RetrySchedule();
  private nextAt = { own: 0, shared: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly options: LivePageOptions;
  private readonly unsubscribe: () => void;

  constructor(options: LivePageOptions) {
    this.options = options;
    this.unsubscribe = this.cache.subscribe((event) => {
      if (event.type === 'removed') this.failed.forget(event.query.queryHash);
      if (event.type !== 'updated' || event.action.type === 'fetch') return;
      if (event.action.type === 'success' && !event.action.manual) this.noteAnswer(event.query as Query);
      else if (event.action.type === 'error') this.noteFailure(event.query as Query, event.action.error);
    });
  }

  close(): void {
    clearTimeout(this.timer);
    this.unsubscribe();
  }

  hear(heard: Heard): void {
    if (heard === 'everything') this.refetchEverything();
    else {
      const { kinds, own = [], teams, shown = {}, pages, missed: ago } = heard;
      if (ago !== undefined && ago > this.options.sinceFirstAsked()) return;
      const missed = ago !== undefined;
      if (pages !== undefined) this.pages = Math.max(pages, 1);
      this.place(shown);
      const teamId = teams && this.options.ownTeamId();
      // Before it is known whose page this is, everything may be meant for it.
      const ofTeam = teamId === undefined ? Object.values(teams ?? {}).flat() : (teams?.[teamId] ?? []);
      this.refetchKinds(new Set([...kinds, ...ofTeam]), { shown, missed, isOwn: false });
      this.refetchKinds(new Set(own), { shown, missed, isOwn: true });
    }
    this.schedule();
  }

  /** Somebody looks at the page again: what it missed is asked for at once. */
  look(): void {
    const at = Date.now() + this.chance() * ownSpreadMilliseconds;
    for (const [hash, { isOwn }] of this.refetches) this.refetches.set(hash, { at, isOwn });
    this.nextAt = { own: 0, shared: 0 };
    this.failed.hurry();
    this.schedule();
  }

  /** The topics of what is on the screen. */
  topics(): LiveTopic[] {
    const shown = this.cache
      .findAll({ type: 'active' })
      .flatMap(({ queryKey }) => [topicOf(queryKey), ...partTopicsOf(queryKey)]);
    return [...new Set(shown.filter((topic) => topic !== undefined))];
  }

  private get cache() {
    return this.options.queryClient.getQueryCache();
  }

  private chance(): number {
    return (this.options.chance ?? Math.random)();
  }

  private refetchKinds(kinds: ReadonlySet<LiveKind>, { shown, missed, isOwn }: Told): void {
    const spread = isOwn ? ownSpreadMilliseconds : spreadMilliseconds(this.pages);
    const at = Date.now() + this.chance() * spread;
    for (const query of this.cache.getAll()) {
      const isUntold = [...kinds].some(
        (kind) =>
          isConcerned(kind, query.queryKey) &&
          !isTold(kind, query, shown) &&
          (isOwn || kind !== 'feed' || !isOwnFeed(query)),
      );
      // What the stream carries, it is about to give a page that has just come.
      const pushWait = missed && topicOf(query.queryKey) ? pushWaitMilliseconds : 0;
      if (isUntold) this.scheduleRefetch(query, { at: at + pushWait, isOwn });
    }
  }

  private refetchEverything(): void {
    for (const query of this.cache.getAll()) {
      const pushWait = topicOf(query.queryKey) ? pushWaitMilliseconds : 0;
      const at = Date.now() + pushWait + this.chance() * spreadMilliseconds(this.pages);
      this.scheduleRefetch(query, { at, isOwn: false });
    }
  }

  private scheduleRefetch(query: Query, refetch: Refetch): void {
    if (!query.isActive()) {
      if (!query.state.isInvalidated) query.invalidate();
      return;
    }
    const known = this.refetches.get(query.queryHash);
    const isOwn = refetch.isOwn || known?.isOwn === true;
    this.refetches.set(query.queryHash, { isOwn, at: Math.min(refetch.at, known?.at ?? refetch.at) });
  }

  private place(shown: LiveShown): void {
    if (Object.keys(shown).length === 0) return;
    for (const query of this.cache.getAll()) {
      const topics = [topicOf(query.queryKey), ...partTopicsOf(query.queryKey)];
      if (!topics.some((topic) => topic !== undefined && topic in shown)) continue;
      const { queryHash, state } = query;
      if (state.fetchStatus === 'fetching') this.late.set(queryHash, [...(this.late.get(queryHash) ?? []), shown]);
      const isAll = isCovered(query, shown);
      if (this.placeIn(query, shown) && isAll) this.refetches.delete(queryHash);
      // What came is not what the query lacked.
      else if (state.isInvalidated) query.invalidate();
    }
  }

  /** False: it does not fit what the query has, which has to be asked for. */
  private placeIn(query: Query, shown: LiveShown): boolean {
    const { queryKey, state } = query;
    if (state.data === undefined) return true;
    const data = placeShown(queryKey, state.data, shown);
    if (data !== undefined) this.options.queryClient.setQueryData(queryKey, data);
    else this.scheduleRefetch(query, { at: Date.now() + this.chance() * spreadMilliseconds(this.pages), isOwn: false });
    return data !== undefined;
  }

  private noteAnswer(query: Query): void {
    this.failed.forget(query.queryHash);
    this.placeLate(query);
  }

  /** What the page asked for and still shows is asked for again, not only when the next news comes. */
  private noteFailure(query: Query, error: unknown): void {
    const { queryHash } = query;
    this.late.delete(queryHash);
    if (!query.isActive()) this.failed.forget(queryHash);
    const again = this.failed.recordFailure(queryHash, error, { now: Date.now(), chance: this.chance() });
    if (!again) return;
    this.scheduleRefetch(query, again);
    this.schedule();
  }

  private placeLate(query: Query): void {
    const late = this.late.get(query.queryHash) ?? [];
    this.late.delete(query.queryHash);
    for (const shown of late) this.placeIn(query, shown);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.refetches.size === 0 || !this.options.isLookedAt()) return;
    const at = Math.min(...[...this.refetches].map((refetch) => this.timeOf(refetch)));
    this.timer = setTimeout(() => this.refetchDue(), Math.max(at - Date.now(), 0));
  }

  private timeOf([hash, { at, isOwn }]: readonly [string, Refetch]): number {
    return Math.max(at, this.failed.notBefore(hash), isOwn ? this.nextAt.own : this.nextAt.shared);
  }

  /** Asks for what is due; whatever is being answered is left alone and looked at again. */
  private refetchDue(): void {
    const now = Date.now();
    const asked = { own: 0, shared: 0 };
    for (const [hash, refetch] of this.refetches) {
      if (this.timeOf([hash, refetch]) > now) continue;
      const query = this.cache.get(hash);
      if (query?.state.fetchStatus === 'fetching') {
        this.refetches.set(hash, { ...refetch, at: now + againMilliseconds });
        continue;
      }
      this.refetches.delete(hash);
      if (!query) continue;
      if (query.isActive()) {
        asked[refetch.isOwn ? 'own' : 'shared'] += 1;
        this.failed.recordAsk(hash, refetch.isOwn);
      }
      const exactly = { queryKey: query.queryKey, exact: true };
      void this.options.queryClient.invalidateQueries(exactly, { cancelRefetch: false });
    }
    if (asked.own > 0) this.nextAt.own = now + Math.max(ownRestMilliseconds, restMilliseconds(this.pages));
    if (asked.shared > 0) this.nextAt.shared = now + asked.shared * restMilliseconds(this.pages);
    this.schedule();
  }
}
