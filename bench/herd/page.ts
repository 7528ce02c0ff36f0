import type { LiveMessage } from '@caravan/contracts/http/live';
import { LivePage } from '@caravan/web/lib/live-page';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import type { Pool } from 'undici';

export type Screen = 'dashboard' | 'board' | 'feed';

type Stats = { teamProgress: { miles: number }[] };
type Board = { teams: { totalMiles: number }[] };
type Feed = { pages: { rows: { id: string }[] }[] };

const screens: Record<Screen, readonly string[][]> = {
  dashboard: [['/api/dashboard/stats'], ['/api/weekly-challenges'], ['/api/bonus-challenge'], ['/api/journey']],
  board: [['/api/leaderboard']],
  feed: [['/api/feed', 'all']],
};
const frame = [['/api/me'], ['/api/user/badges']];

export type Asking = { gets: number; failed: number; aborted: number };

/** Without a browser: its queries, its stream, and the web app's own rule of what to do with news. */
export class HerdPage {
  private readonly client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, networkMode: 'always' } },
  });
  private readonly live: LivePage;
  private readonly stop = new AbortController();
  private teamId: string | undefined;

  constructor(
    private readonly at: { pool: Pool; url: string; token: string; asking: Asking },
    readonly screen: Screen,
  ) {
    this.live = new LivePage({
      queryClient: this.client,
      isLookedAt: () => true,
      sinceFirstAsked: () => 0,
      ownTeamId: () => this.teamId,
    });
  }

  async open(): Promise<void> {
    for (const key of [...frame, ...screens[this.screen]]) await this.show(key);
    const { data } = { data: this.client.getQueryData<{ team: { id: string } }>(['/api/me']) };
    this.teamId = data?.team.id;
    const weekly = this.client.getQueryData<{ id: string }[]>(['/api/weekly-challenges']) ?? [];
    for (const { id } of weekly) await this.show(['/api/weekly-challenges', id, 'progress']);
    const response = await fetch(`${this.at.url}/api/events?shows=${this.live.topics().join(',')}`, {
      headers: { authorization: `Bearer ${this.at.token}` },
      signal: this.stop.signal,
    });
    if (!response.ok || !response.body) throw new Error(`/api/events answered ${response.status}`);
    void this.hear(response.body).catch(() => undefined);
  }

  close(): void {
    this.stop.abort();
    this.live.close();
    this.client.clear();
  }

  /** How many of the logs of this run the page shows; `miles` is of each log. */
  logsShown(miles: number, numberOf: ReadonlyMap<string, number>): number {
    const sumOf = (all: readonly number[]) => Math.round(all.reduce((sum, each) => sum + each, 0) / miles);
    const of = <Data>(...key: string[]) => this.client.getQueryData<Data>(key);
    if (this.screen === 'dashboard')
      return sumOf((of<Stats>('/api/dashboard/stats')?.teamProgress ?? []).map((team) => team.miles));
    if (this.screen === 'board')
      return sumOf((of<Board>('/api/leaderboard')?.teams ?? []).map(({ totalMiles }) => totalMiles));
    const newest = of<Feed>('/api/feed', 'all')?.pages[0]?.rows ?? [];
    return Math.max(0, ...newest.map(({ id }) => numberOf.get(id) ?? 0));
  }

  private async show(queryKey: string[]): Promise<void> {
    if (queryKey[0] === '/api/feed') {
      const observer = new InfiniteQueryObserver(this.client, {
        queryKey,
        queryFn: async ({ signal }) => {
          return { rows: (await this.get('/api/feed/all?limit=10', signal)) as object[], next: null };
        },
        initialPageParam: null,
        getNextPageParam: () => undefined,
      });
      observer.subscribe(() => undefined);
    } else {
      const queryFn = ({ signal }: { signal: AbortSignal }) => this.get(queryKey.join('/'), signal);
      new QueryObserver(this.client, { queryKey, queryFn }).subscribe(() => undefined);
    }
    await this.client.getQueryCache().find({ queryKey })?.promise;
  }

  private async get(path: string, signal: AbortSignal): Promise<unknown> {
    const { pool, token, asking } = this.at;
    asking.gets += 1;
    signal.addEventListener('abort', () => (asking.aborted += 1));
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      signal,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await body.text();
    if (statusCode === 200) return JSON.parse(text);
    asking.failed += 1;
    throw new Error(`${path} answered ${statusCode}`);
  }

  private async hear(body: ReadableStream<Uint8Array>): Promise<void> {
    const parser = createParser({ onEvent: ({ data }) => this.live.hear(JSON.parse(data) as LiveMessage) });
    for await (const text of body.pipeThrough(new TextDecoderStream())) parser.feed(text);
  }
}
