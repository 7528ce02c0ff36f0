import { createHash, timingSafeEqual } from 'node:crypto';
import type { Dependencies, Dependency } from '@caravan/service-kit/process/dependency';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import type { z } from 'zod';
import type { Outcome, ProviderFigures } from './figures.ts';
import { ProviderFailure, type Purpose } from './provider.ts';
import type { Quota } from './quota.client.ts';

export type Resilience = {
  readonly budgetMilliseconds: number;
  /** In vain one after the other, then it is left alone for a while. */
  readonly failures: number;
  readonly restMilliseconds: number;
  readonly parallel: number;
  readonly waiting: number;
  readonly mostBytes: number;
};
export const usualResilience: Omit<Resilience, 'budgetMilliseconds'> = {
  failures: 5,
  restMilliseconds: 10_000,
  parallel: 8,
  waiting: 64,
  mostBytes: 4_000_000,
};

export type Call<Schema extends z.ZodType> = {
  readonly method?: 'GET' | 'POST';
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly schema: Schema;
  /** Given where the app's quota counts the call. */
  readonly purpose?: Purpose;
  /** What another status than 2xx means where the platform says more by its body than by the status. */
  readonly whyOf?: (status: number, body: unknown) => FailureOf | undefined;
};
type FailureOf = ProviderFailure['why'] | 'gone';
type Parts = { readonly dependencies: Dependencies; readonly figures: ProviderFigures; readonly quota?: Quota };
type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/** It answered that there is no such thing. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/** The only way out to a platform: in time, a few at once, in quota, no redirects, so many bytes, of a known shape. */
export class Outbound {
  private readonly dependency: Dependency;
  private readonly places;

  constructor(
    readonly name: string,
    private readonly resilience: Resilience,
    private readonly parts: Parts,
  ) {
    const { budgetMilliseconds, failures, restMilliseconds, parallel, waiting } = resilience;
    this.dependency = parts.dependencies.of({
      name,
      budgetMilliseconds,
      failures,
      probeAfterMilliseconds: restMilliseconds,
      isAway: (error) => !(error instanceof ProviderFailure) || error.why === 'unreachable',
    });
    this.places = bulkhead(parallel, waiting);
  }

  /** Throws `ProviderFailure`, or `Gone` for 404. */
  async ask<Schema extends z.ZodType>(call: Call<Schema>): Promise<z.infer<Schema>> {
    try {
      const answer = await this.places.execute(() =>
        this.dependency.call((milliseconds) => this.once(call, milliseconds)),
      );
      const read = readAs(call, answer);
      this.count('answered');
      return read;
    } catch (error) {
      if (error instanceof Gone) {
        this.count('answered');
        throw error;
      }
      const failure = failureOf(this.name, error);
      this.count(failure.why);
      throw failure;
    }
  }

  /** The breaker stands before the quota: a call that does not go out spends nothing. */
  private async once(call: Call<z.ZodType>, milliseconds: number): Promise<Answer> {
    const { quota } = this.parts;
    const taken = quota && call.purpose !== undefined ? await quota.take(call.purpose) : undefined;
    let answer: Answer | undefined;
    let waitSeconds: number | undefined;
    try {
      answer = await this.fetch(call, AbortSignal.timeout(milliseconds));
    } finally {
      if (quota && taken) waitSeconds = await quota.learn(taken, answer);
    }
    const { status, headers } = answer;
    if (status === 429)
      throw new ProviderFailure('busy', `${this.name} takes no more calls`, retryAfter(headers) ?? waitSeconds ?? 60);
    if (status >= 500) throw new ProviderFailure('unreachable', `${this.name} answered ${status}`, retryAfter(headers));
    return answer;
  }

  private async fetch({ method = 'GET', url, headers, form }: Call<z.ZodType>, signal: AbortSignal): Promise<Answer> {
    const answer = await fetch(url, {
      method,
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json', ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    });
    return { status: answer.status, headers: answer.headers, bytes: await this.bodyOf(answer) };
  }

  /** Decompressed, so that a small answer cannot become a large one. */
  private async bodyOf({ body }: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop ends the connection.
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > this.resilience.mostBytes) throw new ProviderFailure('unreadable', `${this.name} answered too much`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** What became of a renewal is told apart from other calls. */
  async countFailedRenewal<Tokens>(renewal: Promise<Tokens>): Promise<Tokens> {
    return renewal.catch((error: unknown) => {
      const { why } = failureOf(this.name, error);
      this.parts.figures.refreshFailures.inc({ provider: this.name, why });
      throw error;
    });
  }

  private count(outcome: Outcome): void {
    this.parts.figures.calls.inc({ provider: this.name, outcome });
  }
}

function readAs<Schema extends z.ZodType>(call: Call<Schema>, { status, headers, bytes }: Answer): z.infer<Schema> {
  if (status < 200 || status >= 300) {
    const why = call.whyOf?.(status, jsonIn(bytes)) ?? whyOf(status);
    if (why === 'gone') throw new Gone();
    throw new ProviderFailure(why, `the platform answered ${status}`, retryAfter(headers));
  }
  const read = call.schema.safeParse(bytes.length === 0 ? undefined : jsonIn(bytes));
  // The issues would quote what was answered, which may be a token or somebody's health.
  if (!read.success) throw new ProviderFailure('unreadable', 'the platform answered another shape than it documents');
  return read.data;
}

function whyOf(status: number): FailureOf {
  if (status === 404) return 'gone';
  if (status === 401 || status === 410) return 'reconnect';
  // Nobody documents a redirect, and nothing is asked of whoever one names.
  return status < 400 ? 'unreadable' : 'refused';
}

export const jsonIn = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

const mostRetryAfterSeconds = 86_400;

function retryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(Math.ceil(seconds), mostRetryAfterSeconds) : undefined;
}

function failureOf(name: string, error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof BulkheadRejectedError) return new ProviderFailure('busy', `too many wait for ${name}`, 1);
  return new ProviderFailure('unreachable', `${name} does not answer`, 10);
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** As long for every guess: what is compared has one length. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** A token that nobody knows is revoked. */
export function ifUnknown(error: unknown): void {
  if (error instanceof Gone) return;
  if (!(error instanceof ProviderFailure) || error.why !== 'reconnect') throw error;
}

/** Where nothing can be missing 404 is a refusal. */
export function refusedIfGone(error: unknown): never {
  throw error instanceof Gone ? new ProviderFailure('refused', 'the platform answered 404') : error;
}
