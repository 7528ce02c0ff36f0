import { createPublicKey, type KeyObject } from 'node:crypto';
import { Rejected } from '@caravan/kernel/rejected';
import { BadAnswer, Dependency } from '@caravan/service-kit/process/dependency';
import { z } from 'zod';

export type KeySource = {
  /** Undefined when nobody knows the `kid`. Throws `Rejected` (unavailable) when it cannot tell. */
  keyOf(kid: string): Promise<KeyObject | undefined>;
};

export const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  kid: z.string().min(1),
  x: z.string(),
  y: z.string(),
});
export type PublicJwk = z.infer<typeof publicJwkSchema>;

export const jwksSchema = z.object({ keys: z.array(publicJwkSchema) });

export type KeyTimings = { readonly maxAgeMilliseconds: number; readonly refetchMilliseconds: number };

const defaultTimings: KeyTimings = { maxAgeMilliseconds: 600_000, refetchMilliseconds: 30_000 };
const retryMilliseconds = 1_000;

export const keysDependency = { name: 'signing-keys', budgetMilliseconds: 1_000 };

/** Unknown ids fetch at most once per 30 s: forged ones cannot hammer identity. Known keys outlive its outages. */
export class RemoteKeys implements KeySource {
  private keys = new Map<string, KeyObject>();
  private fetchedAt = -Infinity;
  private triedAt = -Infinity;
  private hasFailed = false;
  private pending: Promise<void> | undefined;

  private readonly timings: KeyTimings;
  private readonly dependency: Dependency;

  constructor(
    private readonly url: string,
    options: { readonly timings?: KeyTimings; readonly dependency?: Dependency } = {},
  ) {
    this.timings = options.timings ?? defaultTimings;
    this.dependency = options.dependency ?? new Dependency(keysDependency);
  }

  async keyOf(kid: string): Promise<KeyObject | undefined> {
    const { maxAgeMilliseconds, refetchMilliseconds } = this.timings;
    const known = this.keys.get(kid);
    if (known) {
      if (this.isDue(this.fetchedAt, maxAgeMilliseconds) && this.isDue(this.triedAt, refetchMilliseconds))
        void this.fetch();
      return known;
    }
    if (this.pending || this.isDue(this.triedAt, this.hasFailed ? retryMilliseconds : refetchMilliseconds))
      await this.fetch();
    if (this.hasFailed) {
      throw new Rejected(
        'auth/keys-unavailable',
        'unavailable',
        'Sign-in cannot be checked right now. Please try again.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    return this.keys.get(kid);
  }

  private fetch(): Promise<void> {
    if (this.pending) return this.pending;
    this.triedAt = performance.now();
    this.pending = this.dependency
      .call((milliseconds) => this.load(milliseconds))
      .then(
        () => (this.hasFailed = false),
        () => (this.hasFailed = true),
      )
      .then(() => (this.pending = undefined));
    return this.pending;
  }

  private async load(milliseconds: number): Promise<void> {
    const response = await fetch(this.url, { signal: AbortSignal.timeout(milliseconds), redirect: 'error' });
    if (!response.ok) throw new BadAnswer(`JWKS answered ${response.status}`);
    const { keys } = jwksSchema.parse(await response.json());
    this.keys = new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })]));
    this.fetchedAt = performance.now();
  }

  private isDue(since: number, milliseconds: number): boolean {
    return performance.now() - since >= milliseconds;
  }
}
