import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { StartUploadRequest } from '@caravan/contracts/http/photos';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { type Limit, LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import { uploadKey } from './photo.ts';
import { beginUpload } from './photos.store.ts';
import { StoredFiles } from './stored-files.client.ts';

const uploadsAnHour: Limit = { name: 'uploads', points: 30, seconds: 3_600 };

export type Begun = { readonly uploadId: string; readonly key: string };

@Injectable()
export class Uploads {
  private readonly limits: Limits;

  constructor(
    @Inject(Redis) redis: Redis,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(StoredFiles) private readonly files: StoredFiles,
  ) {
    this.limits = new Limits(redis);
  }

  /** Where to send a file. Throws `Rejected`: too-many, and unavailable before this service has heard of the member. */
  start(caller: Caller, { size }: StartUploadRequest): Promise<string> {
    return this.beginning(caller, size, ({ key }) => this.files.uploadUrl(key, size));
  }

  /** Counts as an upload once `work` has done with it what it is begun for. Throws as `start`. */
  beginning<Result>(
    caller: Caller,
    size: number | undefined,
    work: (begun: Begun) => Promise<Result>,
  ): Promise<Result> {
    return this.limits
      .charge([{ of: uploadsAnHour, by: caller.userId }], async () => work(await this.store(caller, size)))
      .catch(tooMany);
  }

  private async store({ orgId, userId, at }: Caller, size: number | undefined): Promise<Begun> {
    const uploadId = randomUUIDv7();
    const upload = { uploadId, sizeBytes: size ?? null, at };
    const isBegun = await withTenant(this.pool, orgId, (tx) => beginUpload(tx, { orgId, userId }, upload));
    if (!isBegun) throw notYet();
    return { uploadId, key: uploadKey({ orgId, userId, uploadId }) };
  }
}

function tooMany(error: unknown): never {
  if (!(error instanceof LimitReached)) throw error;
  const { retryAfterSeconds } = error;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes > 1 ? `${minutes} minutes` : 'a minute';
  const message = `You have sent many photos in the last hour. Please try again in ${wait}.`;
  throw new Rejected('photo/too-many-uploads', 'too-many', message, { retryAfterSeconds });
}

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}
