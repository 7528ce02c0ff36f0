import { isRedisReady, Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';

/** So long a change is told again with whatever comes after it; a message that was overtaken by another loses nothing. */
const rememberedMilliseconds = 10_000;
/** More are not told one by one. */
const mostChanges = 100;

/** Stands among the changes where they are not known one by one. */
const anything = '*';

type Kind = 'reactions' | 'comments';

/** An entry of a feed, and which comment below it. */
export type Change = { readonly entryId: string; readonly commentId?: string };

/** What belongs to entries and changed just now, by whichever process, so that open pages are told of it. */
@Injectable()
export class ChangedEntries {
  private isBack: Promise<boolean> | undefined;

  constructor(@Inject(Redis) private readonly redis: Redis) {}

  /** Call after the commit. Without Redis there is no live page to tell either: they ask anew once it is back. */
  note(kind: Kind, orgId: string, changes: readonly Change[]): void {
    this.keep(kind, orgId, changes.map(textOf));
  }

  /** Of what cannot be told one by one, such as all that one member wrote: everybody asks. */
  noteAll(kind: Kind, orgId: string): void {
    this.keep(kind, orgId, [anything]);
  }

  private keep(kind: Kind, orgId: string, texts: readonly string[]): void {
    if (texts.length === 0) return;
    const write = async () => {
      const key = keyOf(kind, orgId);
      const now = Date.now();
      // In one write with whatever else is noted in this moment: no transaction, each order holds by itself.
      await Promise.all([
        this.redis.zadd(key, ...texts.flatMap((text) => [now, text])),
        // One more than is told, which tells that there are more.
        this.redis.zremrangebyrank(key, 0, -2 - mostChanges),
        this.redis.pexpire(key, rememberedMilliseconds),
      ]);
    };
    // A connection that was given up is soon back, and the news of it are said then.
    const again = async () => {
      this.isBack ??= isRedisReady(this.redis, rememberedMilliseconds).finally(() => (this.isBack = undefined));
      if (await this.isBack) await write();
    };
    write()
      .catch(again)
      .catch(() => undefined);
  }

  /** The latest first; undefined where more changed than can be told one by one: everybody has to ask. */
  async latest(kind: Kind, orgId: string): Promise<readonly Change[] | undefined> {
    const since = String(Date.now() - rememberedMilliseconds);
    const found = await this.redis.zrange(keyOf(kind, orgId), '+inf', since, 'BYSCORE', 'REV');
    return found.length > mostChanges || found.includes(anything) ? undefined : found.map(changeOf);
  }
}

const keyOf = (kind: Kind, orgId: string) => `changed-${kind}:${orgId}`;
const textOf = ({ entryId, commentId }: Change) => (commentId === undefined ? entryId : `${entryId} ${commentId}`);

function changeOf(text: string): Change {
  const [entryId = '', commentId] = text.split(' ');
  return { entryId, ...(commentId !== undefined && { commentId }) };
}
