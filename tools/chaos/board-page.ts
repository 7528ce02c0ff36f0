import { setTimeout as pause } from 'node:timers/promises';
import { type Leaderboard, leaderboardSchema } from '@caravan/contracts/http/scores';
import { liveMessageSchema } from '@caravan/contracts/http/live';
import { createParser } from 'eventsource-parser';
import type { Member } from './load.ts';

type Users = Leaderboard['users'];

const againMilliseconds = 200;

/** A scoreboard that is left open: it lives by what it is told, asks where it is sent to ask, and listens again when cut. */
export class BoardPage {
  readonly #url: string;
  readonly #headers: { readonly authorization: string };
  readonly #stop = new AbortController();
  #users: Users = [];
  #following: Promise<void> = Promise.resolve();
  told = 0;
  cuts = 0;

  constructor(url: string, { token }: Member) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  open(): void {
    this.#following = this.#follow();
  }

  /** Everybody's miles, as the page shows them. */
  shows(): string {
    return milesOf(this.#users);
  }

  /** Everybody's miles, as the API answers now. */
  async isToShow(): Promise<string> {
    return milesOf(await this.#readUsers());
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      await this.#listen(signal).catch(() => undefined);
      if (signal.aborted) return;
      this.cuts += 1;
      await pause(againMilliseconds);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const headers = this.#headers;
    const { ok, body } = await fetch(`${this.#url}/api/events?shows=board`, { headers, signal });
    if (!ok || !body) throw new Error('No stream is to be had.');
    const parser = createParser({ onEvent: ({ data }) => this.#hear(data) });
    // What changed while nobody listened is not told again.
    await this.#ask();
    for await (const text of body.pipeThrough(new TextDecoderStream())) parser.feed(text);
  }

  #hear(data: string): void {
    const { kinds, own = [], shown } = liveMessageSchema.parse(JSON.parse(data));
    if (shown?.board) this.#users = shown.board.users ?? this.#users;
    else if ([...kinds, ...own].includes('board')) void this.#ask().catch(() => undefined);
    this.told += 1;
  }

  /** An answer that was overtaken by news may be older than these. */
  async #ask(): Promise<void> {
    for (;;) {
      const { told } = this;
      const users = await this.#readUsers();
      if (told !== this.told) continue;
      this.#users = users;
      return;
    }
  }

  async #readUsers(): Promise<Users> {
    const answer = await fetch(`${this.#url}/api/leaderboard`, { headers: this.#headers });
    if (!answer.ok) throw new Error(`The board answered ${answer.status}.`);
    return leaderboardSchema.parse(await answer.json()).users;
  }
}

const milesOf = (users: Users): string =>
  users
    .map(({ id, totalMiles }) => `${id} ${totalMiles}`)
    .toSorted()
    .join('\n');
