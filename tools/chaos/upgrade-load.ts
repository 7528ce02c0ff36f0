import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { logOnce, type Member, password, send } from './load.ts';

/** What people had to ask twice, and what nobody answered however often it was asked. */
export type Asked = { requests: number; again: Map<string, number>; failed: string[]; slowestMilliseconds: number };

const writers = 6;
const readers = 4;
const betweenMilliseconds = 50;
const triesOfReads = 4;
const againMilliseconds = 200;
const pages = ['/api/me', '/api/logs', '/api/dashboard/stats', '/api/leaderboard', '/api/feed/all?limit=10'];
const ownPages = [...pages, '/api/weekly-challenges', '/api/journey', '/api/notifications', '/'];
const loginEvery = 15;

/** Members who log, comment, read and sign in until they are told to stop; each asks again as the web app does. */
export class Crowd {
  readonly #url: string;
  readonly #people: readonly Member[];
  readonly #visitor: Member;
  readonly #pauseMilliseconds: number;
  readonly asked: Asked = { requests: 0, again: new Map(), failed: [], slowestMilliseconds: 0 };
  /** Of comments: below which post, and how many of them were acknowledged. */
  readonly comments = new Map<string, number>();
  #isOver = false;
  #logs = 0;
  #work: Promise<unknown> = Promise.resolve();

  /** The visitor does nothing but sign in: whoever has eleven sessions loses one. */
  constructor(url: string, people: readonly Member[], visitor: Member, pauseMilliseconds = betweenMilliseconds) {
    this.#url = url;
    this.#people = people;
    this.#visitor = visitor;
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  get logs(): number {
    return this.#logs;
  }

  start(): void {
    const all = [
      ...Array.from({ length: writers }, (_, nth) => this.#write(nth)),
      ...Array.from({ length: readers }, (_, nth) => this.#read(nth)),
    ];
    this.#work = Promise.all(all).finally(() => (this.#isOver = true));
    this.#work.catch(() => undefined);
  }

  /** Waits until so many more logs are acknowledged. */
  async more(logs: number): Promise<void> {
    const until = this.#logs + logs;
    const work = this.#work.then(() => {
      throw new Error('The crowd has gone.');
    });
    const waitUntilDone = async () => {
      while (this.#logs < until && !this.#isOver) await pause(10);
    };
    await Promise.race([work, waitUntilDone()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  async #write(nth: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const member = this.#people[(turn * writers + nth) % this.#people.length];
      if (!member) continue;
      const tries = await logOnce(this.#url, member, `upgrade-${nth}-${turn}`, 10 + (turn % 50));
      this.#count('POST /api/log', tries);
      this.#logs += 1;
      const post = member.acknowledged[0];
      if (post !== undefined && turn > 20 && turn % 5 === 0) await this.#comment(member, post, `${nth}-${turn}`);
      await pause(this.#pauseMilliseconds);
    }
  }

  async #comment(member: Member, post: string, key: string): Promise<void> {
    const headers = { authorization: `Bearer ${member.token}`, 'idempotency-key': `comment-${key}` };
    const path = `/api/feed/${post}/comments`;
    await this.#insist(
      'POST comments',
      () => send(this.#url + path, { text: `Well done ${key}` }, headers),
      Number.POSITIVE_INFINITY,
    );
    this.comments.set(post, (this.comments.get(post) ?? 0) + 1);
  }

  async #read(nth: number): Promise<void> {
    for (let turn = nth; !this.#isOver; turn += 1) {
      const member = this.#people[turn % this.#people.length];
      if (!member) continue;
      if (turn % loginEvery === 0) {
        const body = { email: this.#visitor.email, password };
        await this.#insist('POST /api/login', () => send(`${this.#url}/api/login`, body, {}));
      } else {
        const page = ownPages[turn % ownPages.length] ?? '/';
        const headers = { authorization: `Bearer ${member.token}` };
        await this.#insist(`GET ${page}`, () => fetch(this.#url + page, { headers }));
      }
      await pause(this.#pauseMilliseconds);
    }
  }

  async #insist(call: string, ask: () => Promise<Response>, most = triesOfReads): Promise<void> {
    const startedAt = performance.now();
    const seen: string[] = [];
    while (seen.length < most) {
      const answer = await ask().catch((error: unknown) => String(error));
      const told = typeof answer === 'string' ? answer : String(answer.status);
      if (typeof answer !== 'string') await answer.arrayBuffer();
      if (typeof answer !== 'string' && answer.ok) {
        this.asked.slowestMilliseconds = Math.max(this.asked.slowestMilliseconds, performance.now() - startedAt);
        return this.#count(call, [...seen, told]);
      }
      seen.push(told);
      // A refusal would last for ever.
      if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) break;
      await pause(typeof answer === 'string' ? againMilliseconds : waitOf(answer));
    }
    this.#count(call, seen);
    this.asked.failed.push(`${call}: ${seen.join(', ')}`);
  }

  /** `answers` ends with the one that counts. */
  #count(call: string, answers: readonly string[]): void {
    this.asked.requests += answers.length;
    for (const answer of answers.slice(0, -1)) {
      const what = `${call} ${answer}`;
      this.asked.again.set(what, (this.asked.again.get(what) ?? 0) + 1);
    }
  }
}

/** As long as the answer says. */
const waitOf = ({ headers }: Response): number => Number(headers.get('retry-after')) * 1_000 || againMilliseconds;

const commentsShape = z.array(z.object({ id: z.string() }));

/** Throws unless each comment that was acknowledged is there once. */
export async function commentsAreThere(url: string, [reader]: readonly Member[], crowd: Crowd): Promise<void> {
  for (const [post, expected] of crowd.comments) {
    const found = new Set<string>();
    for (let page: string | undefined = `${url}/api/feed/${post}/comments?limit=50`; page;) {
      const answer: Response = await fetch(page, { headers: { authorization: `Bearer ${reader?.token}` } });
      for (const { id } of commentsShape.parse(await answer.json())) found.add(id);
      const following = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      page = following && new URL(following, url).href;
    }
    if (found.size !== expected)
      throw new Error(`${expected} comments were acknowledged below ${post}, there are ${found.size}`);
  }
}
