import { randomBytes } from 'node:crypto';
import { type Limit, LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import { companionWords } from '@caravan/contracts/http/companion';
import { Rejected } from '@caravan/kernel/rejected';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { uploadSeconds } from '../photos/index.ts';
import { fetchMilliseconds } from './linked-files.client.ts';

const wantedLinkSchema = z.object({
  orgId: z.string(),
  userId: z.string(),
  sessionId: z.string(),
  key: z.string(),
  link: z.string(),
  /** Set when it lies in the storage. */
  sent: z.object({ url: z.string(), bytesUploaded: z.number() }).optional(),
});
export type WantedLink = z.infer<typeof wantedLinkSchema>;

/** With its turn. */
export const holdMilliseconds = 2 * fetchMilliseconds;
/** What is fetched lies there before the clean-up looks for the last time. */
const wantedSeconds = uploadSeconds - holdMilliseconds / 1_000;
const looksAnHour: Limit = { name: 'links', points: 90, seconds: 3_600 };
const tokens = /^[\w-]{43}$/;

/** Links that were asked for, by the token of whoever asked. Kept in Redis: the socket may reach another process. */
@Injectable()
export class WantedLinks {
  private readonly limits: Limits;

  constructor(@Inject(Redis) private readonly redis: Redis) {
    this.limits = new Limits(redis);
  }

  /** Counts whatever the other site answers: it was asked. Throws `Rejected`: too-many. */
  async countLook(userId: string): Promise<void> {
    await this.limits.take([{ of: looksAnHour, by: userId }]).catch((error: unknown) => {
      if (!(error instanceof LimitReached)) throw error;
      const { retryAfterSeconds } = error;
      throw new Rejected('companion/too-many-links', 'too-many', companionWords.tooManyLinks, { retryAfterSeconds });
    });
  }

  async keep(wanted: WantedLink): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.redis.set(keyOf(token), JSON.stringify(wanted), 'EX', wantedSeconds);
    return token;
  }

  async find(token: string): Promise<WantedLink | undefined> {
    const kept = tokens.test(token) ? await this.redis.get(keyOf(token)) : null;
    return kept === null ? undefined : wantedLinkSchema.parse(JSON.parse(kept));
  }

  async noteSent(token: string, wanted: WantedLink): Promise<void> {
    await this.redis.set(keyOf(token), JSON.stringify(wanted), 'KEEPTTL', 'XX');
  }

  async forget(token: string): Promise<void> {
    await this.redis.del(keyOf(token));
  }

  /** False while another socket has it: one file is fetched once at a time. */
  async hold(token: string): Promise<boolean> {
    return (await this.redis.set(`${keyOf(token)}:held`, '1', 'PX', holdMilliseconds, 'NX')) === 'OK';
  }

  async release(token: string): Promise<void> {
    await this.redis.del(`${keyOf(token)}:held`);
  }
}

const keyOf = (token: string) => `companion:link:${token}`;
