import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { Comment, CommentReason, CommentRequest } from '@caravan/contracts/http/comments';
import { EventStore, type IdempotentRequest, type PersonUnit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { isLate } from '@caravan/service-kit/telemetry/request-context';
import { Inject, Injectable } from '@nestjs/common';
import { type Change, ChangedEntries } from '../feed/index.ts';
import { commentOf, type Content, contentOf, refuseEditing } from './comment.ts';
import { commentManagedBy, commentSeenBy, entryOf, type FoundComment, mentionableAmong } from './comments.query.ts';
import {
  dismissReports,
  hideComment,
  lockOwnComment,
  removeComment,
  rewriteComment,
  showComment,
  storeComment,
  storeReport,
} from './comments.store.ts';
import {
  commentShownAgain,
  commentTakenDown,
  commentWritten,
  dismissalAudited,
  hidingAudited,
  showingAudited,
} from './public-events.ts';

@Injectable()
export class CommentsService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(ChangedEntries) private readonly changes: ChangedEntries,
  ) {}

  /** Throws `Rejected`: not-found for what the caller may not see, conflict below who has left. */
  write(caller: Caller, entryId: string, body: CommentRequest, request?: IdempotentRequest): Promise<Comment> {
    return this.change(caller, request, async (unit, changes) => {
      await refuseUnready(unit);
      // Against a removal of the post; of checkpoints nothing is ever removed.
      const values = [caller.orgId, entryId];
      await unit.tx.query('select from posts where org_id = $1 and log_id = $2 for key share', values);
      const entry = await entryOf(unit.tx, caller, entryId);
      if (entry.hasLeft)
        throw new Rejected('comments/author-left', 'conflict', 'Whoever logged this has left. Nobody could answer.');
      const commentId = randomUUIDv7();
      const content = await readContent(unit, body);
      await storeComment(unit, { commentId, entryId, content });
      changes.push({ entryId, commentId });
      const written = { commentId, entryId, ownerId: entry.ownerId, userId: caller.userId, content };
      await unit.publish(commentWritten(written, caller.at));
      return commentOf(await commentSeenBy(unit.tx, caller, commentId));
    });
  }

  edit(caller: Caller, commentId: string, body: CommentRequest, request?: IdempotentRequest): Promise<Comment> {
    return this.change(caller, request, async (unit, changes) => {
      await refuseUnready(unit);
      await lockOwnComment(unit, commentId);
      const comment = await commentSeenBy(unit.tx, caller, commentId);
      refuseEditing(comment, caller.at);
      const content = await readContent(unit, body);
      if (JSON.stringify(content) === JSON.stringify(comment.content)) return commentOf(comment);
      await rewriteComment(unit, commentId, content);
      const { entryId } = comment;
      changes.push({ entryId, commentId });
      const { ownerId } = await entryOf(unit.tx, caller, entryId);
      const written = { commentId, entryId, ownerId, userId: caller.userId, content };
      await unit.publish(commentWritten(written, caller.at));
      return commentOf(await commentSeenBy(unit.tx, caller, commentId));
    });
  }

  /** Also below what its author may no longer see. */
  async remove(caller: Caller, commentId: string): Promise<void> {
    await this.change(caller, undefined, async (unit, changes) => {
      const entryId = await lockOwnComment(unit, commentId);
      await removeComment(unit, commentId);
      changes.push({ entryId, commentId });
      await unit.publish(commentTakenDown({ commentId, entryId, userId: caller.userId }, caller.at));
    });
  }

  /** Only admins who ask see reports. */
  async report(caller: Caller, commentId: string, { reason }: CommentReason, request?: IdempotentRequest) {
    return this.change(caller, request, async (unit) => {
      await refuseErased(unit);
      const { isMine } = await commentSeenBy(unit.tx, caller, commentId);
      if (isMine) throw new Rejected('comments/own', 'invalid', 'This comment is yours. You can delete it.');
      await storeReport(unit, commentId, reason);
      return { reported: true } as const;
    });
  }

  /** The first reason stays. */
  hide(caller: Caller, commentId: string, { reason }: CommentReason, request?: IdempotentRequest) {
    return this.change(caller, request, async (unit, changes) => {
      const { entryId, authorId, isHidden } = await this.commentForAdmins(unit, commentId);
      if (isHidden) return { hidden: true } as const;
      await hideComment(unit, commentId, reason);
      changes.push({ entryId, commentId });
      await unit.publish(hidingAudited());
      const about = { commentId, entryId, userId: authorId };
      await this.ofAuthor(unit, authorId).publish(commentTakenDown(about, caller.at));
      return { hidden: true } as const;
    });
  }

  /** Shows it to everybody again and dismisses its reports. */
  show(caller: Caller, commentId: string) {
    return this.change(caller, undefined, async (unit, changes) => {
      const { entryId, authorId, isHidden } = await this.commentForAdmins(unit, commentId);
      if (!isHidden) return { shown: true } as const;
      await showComment(unit, commentId);
      await dismissReports(unit, commentId);
      changes.push({ entryId, commentId });
      await unit.publish(showingAudited());
      const about = { commentId, entryId, userId: authorId };
      await this.ofAuthor(unit, authorId).publish(commentShownAgain(about, caller.at));
      return { shown: true } as const;
    });
  }

  /** Members who have reported it cannot do so again; others can. */
  dismissReports(caller: Caller, commentId: string) {
    return this.change(caller, undefined, async (unit) => {
      await this.commentForAdmins(unit, commentId);
      const isAny = await dismissReports(unit, commentId);
      if (isAny) await unit.publish(dismissalAudited());
      return { dismissed: true } as const;
    });
  }

  /** What is told of a comment is in the order of who wrote it, whoever does it. */
  private ofAuthor({ tx, meta }: PersonUnit, authorId: string) {
    return this.store.within(tx, { ...meta, key: personKey(authorId) });
  }

  /** Locked, so that admins decide one after the other. */
  private async commentForAdmins(unit: PersonUnit, commentId: string): Promise<FoundComment> {
    await refuseErased(unit);
    await unit.tx.query('select from comments where org_id = $1 and comment_id = $2 for update', [
      unit.meta.orgId,
      commentId,
    ]);
    return commentManagedBy(unit.tx, readerOf(unit), commentId);
  }

  private async change<Answer>(
    { meta, orgId }: Caller,
    request: IdempotentRequest | undefined,
    work: (unit: PersonUnit, changes: Change[]) => Promise<Answer>,
  ): Promise<Answer> {
    const changes: Change[] = [];
    const answer = await this.store.transaction(meta, (unit) => work(unit, changes), request);
    this.changes.note('comments', orgId, changes);
    this.live.publish(orgId, ['comments']);
    return answer;
  }
}

const readerOf = ({ meta }: PersonUnit) => ({ orgId: meta.orgId, userId: meta.key.id });

/** Waits for erasures under way, and they for this unit; throws `Rejected` when the writer is nobody here (any more). */
async function refuseErased({ tx, meta }: PersonUnit): Promise<{ activityVisible: boolean }> {
  await tx.query('select lock_posting(array[$1::uuid])', [meta.orgId]);
  const { rows } = await tx.query<{ activityVisible: boolean }>(
    'select activity_visible from members where org_id = $1 and user_id = $2 and not is_erased',
    [meta.orgId, meta.key.id],
  );
  const message = 'Your membership is still being set up. Please try again.';
  if (!rows[0] || isLate('identity'))
    throw new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
  return rows[0];
}

/** Who hides what they do would talk to nobody (D18). */
async function refuseUnready(unit: PersonUnit): Promise<void> {
  const { activityVisible } = await refuseErased(unit);
  const message = 'You hide your activity, so nobody could read this. Show it in Settings to comment.';
  if (!activityVisible) throw new Rejected('comments/activity-hidden', 'invalid', message);
}

async function readContent(unit: PersonUnit, { text, mentions }: CommentRequest): Promise<Content> {
  const ids = [...new Set(mentions)];
  const mentioned = await mentionableAmong(unit.tx, readerOf(unit), ids);
  const message = 'Somebody you mention cannot be mentioned.';
  if (mentioned.length < ids.length) throw new Rejected('comments/unknown-mention', 'invalid', message);
  return contentOf(text, mentioned);
}
