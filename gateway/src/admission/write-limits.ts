import { operations } from '@caravan/contracts/http/operations';
import { isWriting, unlistedWrites, type WriteLimit, writeLimits } from '@caravan/contracts/http/write-limits';
import type { Limit, Limits } from '@caravan/service-kit/storage/limits';
import { Leases } from './leases.ts';
import { operationFinder } from '../routing/routes.ts';

const unlisted = 'unlisted';

/** An operation that writes, by its name in the OpenAPI document. */
export type Write = keyof typeof writeLimits | typeof unlisted;

const writing = operationFinder(isWriting);
const nameOf = new Map(Object.entries(operations).map(([id, operation]) => [operation as object, id as Write]));

/** Undefined for a request that stores nothing. A write that is no operation of the document is counted as `unlisted`. */
export function writeOf(method: string, path: string): Write | undefined {
  // Services answer HEAD by the handler of GET.
  const operation = writing(method === 'HEAD' ? 'GET' : method, path);
  const write = operation && nameOf.get(operation);
  return write ?? (['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : unlisted);
}

export function writeLimitOf(write: Write): WriteLimit {
  const limit = write === unlisted ? unlistedWrites : writeLimits[write];
  // A caller who sends a token to an operation that needs none is counted, too.
  return limit === 'by-address' ? unlistedWrites : limit;
}

/** Small blocks: what a gateway has taken of a limit and does not use within the minute is lost. */
const blocksPerMinuteLimit = 60;
const blocksPerAccountLimit = 1_000;
const rememberedMembers = 5_000;

/** How often one member may do each thing that writes (S25). One command to Redis counts the write for both the operation and the account. */
export class WriteLimits {
  private readonly leases = new Map<Write, Leases>();

  constructor(
    private readonly limits: Limits,
    private readonly perAccount: Limit,
    private readonly factor: number,
  ) {}

  /** Throws `LimitReached`. */
  async spend(write: Write, userId: string): Promise<void> {
    const leases = this.leases.get(write) ?? this.leasesOf(write);
    this.leases.set(write, leases);
    await leases.spend(userId);
  }

  private leasesOf(write: Write): Leases {
    const { perMinute, perHour } = writeLimitOf(write);
    const minute = { name: `gateway:write:${write}:minute`, points: perMinute * this.factor, seconds: 60 };
    const hour = { name: `gateway:write:${write}:hour`, points: perHour * this.factor, seconds: 3_600 };
    const shares = [minute.points / blocksPerMinuteLimit, this.perAccount.points / blocksPerAccountLimit];
    const block = Math.max(1, Math.floor(Math.min(...shares)));
    return new Leases(this.limits, [this.perAccount, minute, hour], { block, rememberedKeys: rememberedMembers });
  }
}
