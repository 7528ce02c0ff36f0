import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { Comment, CommentReason, CommentRequest } from '@caravan/contracts/http/comments';
import type { commentShownAgain, commentTakenDown, commentWritten } from '@caravan/contracts/events/social.events';
import { EventStore, type IdempotentRequest, type PersonUnit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { audited } from '@caravan/service-kit/telemetry/audited';
import { Live } from '@caravan/service-kit/live/live';
import { isLate } from '@caravan/service-kit/telemetry/request-context';
import { Inject, Injectable } from '@nestjs/common';
import { type Change, ChangedEntries } from '../feed/index.ts';
import { commentOf, type Content, contentOf, refuseEditing } from './comment.ts';
import {
  commentManagedBy,
  commentSeenBy,
  entryOf,
  type FoundComment,
  mentionableAmong,
  noSuchComment,
} from './comments.query.ts';

@Injectable()
export class CommentsService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
    @Inject(ChangedEntries) private readonly changes: ChangedEntries,
  ) {}

  /** Throws `Rejected`: not-found for what the caller may not see, conflict below who has left. */
  write(caller: Caller, entryId: string, body: CommentRequest, request?: IdempotentRequest): Promise<Comment> {
    return this.changed(caller, request, async (unit, changes) => {
      await refuseUnready(unit);
      // Against a removal of the post; of checkpoints nothing is ever removed.
      const values = [caller.orgId, entryId];
      await unit.tx.query('select from posts where org_id = $1 and log_id = $2 for key share', values);
      const entry = await entryOf(unit.tx, caller, entryId);
      if (entry.hasLeft)
        throw new Rejected('comments/author-left', 'conflict', 'Whoever logged this has left. Nobody could answer.');
      const [commentId, content] = [randomUUIDv7(), await readContent(unit, body)];
      await unit.tx.query(
        `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [caller.orgId, commentId, entryId, caller.userId, JSON.stringify(content), caller.at],
      );
      changes.push({ entryId, commentId });
      await unit.publish(writtenFact(unit, { commentId, entryId, ownerId: entry.ownerId, content }));
      return commentOf(await commentSeenBy(unit.tx, caller, commentId));
    });
  }

  edit(caller: Caller, commentId: string, body: CommentRequest, request?: IdempotentRequest): Promise<Comment> {
    return this.changed(caller, request, async (unit, changes) => {
      await refuseUnready(unit);
      await lockOwn(unit, commentId);
      const comment = await commentSeenBy(unit.tx, caller, commentId);
      refuseEditing(comment, caller.at);
      const content = await readContent(unit, body);
      if (JSON.stringify(content) === JSON.stringify(comment.content)) return commentOf(comment);
      await unit.tx.query('update comments set content = $3, edited_at = $4 where org_id = $1 and comment_id = $2', [
        caller.orgId,
        commentId,
        JSON.stringify(content),
        caller.at,
      ]);
      const { entryId } = comment;
      changes.push({ entryId, commentId });
      const { ownerId } = await entryOf(unit.tx, caller, entryId);
      await unit.publish(writtenFact(unit, { commentId, entryId, ownerId, content }));
      return commentOf(await commentSeenBy(unit.tx, caller, commentId));
    });
  }

  /** Also below what its author may no longer see. */
  async remove(caller: Caller, commentId: string): Promise<void> {
    await this.changed(caller, undefined, async (unit, changes) => {
      const entryId = await lockOwn(unit, commentId);
      await unit.tx.query('delete from comments where org_id = $1 and comment_id = $2', [caller.orgId, commentId]);
      changes.push({ entryId, commentId });
      await unit.publish(takenDownFact({ commentId, entryId, userId: caller.userId }, caller.at));
    });
  }

  /** The first report of a member stays. Nobody is told but admins who ask. */
  async report(caller: Caller, commentId: string, { reason }: CommentReason, request?: IdempotentRequest) {
    return this.changed(caller, request, async (unit) => {
      await refuseErased(unit);
      const { isMine } = await commentSeenBy(unit.tx, caller, commentId);
      if (isMine) throw new Rejected('comments/own', 'invalid', 'This comment is yours. You can delete it.');
      // One that its author deletes at this moment is gone, and so is the report.
      await unit.tx.query(
        `insert into comment_reports (org_id, comment_id, reporter_id, reason, reported_at)
         select $1, comment_id, $3, $4, $5 from comments where org_id = $1 and comment_id = $2 for key share
         on conflict do nothing`,
        [caller.orgId, commentId, caller.userId, reason, caller.at],
      );
      return { reported: true } as const;
    });
  }

  /** The first reason stays. */
  hide(caller: Caller, commentId: string, { reason }: CommentReason, request?: IdempotentRequest) {
    return this.changed(caller, request, async (unit, changes) => {
      const { orgId, userId, at } = caller;
      const { entryId, authorId, isHidden } = await this.managed(unit, commentId);
      if (isHidden) return { hidden: true } as const;
      await unit.tx.query(
        `update comments set hidden_at = $3, hidden_by = $4, hidden_reason = $5 where org_id = $1 and comment_id = $2`,
        [orgId, commentId, at, userId, reason],
      );
      changes.push({ entryId, commentId });
      await unit.publish(audited('comment.hidden'));
      await this.ofAuthor(unit, authorId).publish(takenDownFact({ commentId, entryId, userId: authorId }, at));
      return { hidden: true } as const;
    });
  }

  /** To everybody again, and what was said against it is put aside. */
  show(caller: Caller, commentId: string) {
    return this.changed(caller, undefined, async (unit, changes) => {
      const { entryId, authorId, isHidden } = await this.managed(unit, commentId);
      if (!isHidden) return { shown: true } as const;
      await unit.tx.query(
        `update comments set hidden_at = null, hidden_by = null, hidden_reason = null
         where org_id = $1 and comment_id = $2`,
        [caller.orgId, commentId],
      );
      await putAside(unit, commentId);
      changes.push({ entryId, commentId });
      await unit.publish(audited('comment.shown'));
      const about = { commentId, entryId, userId: authorId };
      await this.ofAuthor(unit, authorId).publish(shownAgainFact(about, caller.at));
      return { shown: true } as const;
    });
  }

  /** Who has reported it cannot again; others can. */
  dismissReports(caller: Caller, commentId: string) {
    return this.changed(caller, undefined, async (unit) => {
      await this.managed(unit, commentId);
      const isAny = await putAside(unit, commentId);
      if (isAny) await unit.publish(audited('comment.reports-dismissed'));
      return { dismissed: true } as const;
    });
  }

  /** What is told of a comment is in the order of who wrote it, whoever does it. */
  private ofAuthor({ tx, meta }: PersonUnit, authorId: string) {
    return this.store.within(tx, { ...meta, key: personKey(authorId) });
  }

  /** Locked, so that admins decide one after the other. */
  private async managed(unit: PersonUnit, commentId: string): Promise<FoundComment> {
    await refuseErased(unit);
    await unit.tx.query('select from comments where org_id = $1 and comment_id = $2 for update', [
      unit.meta.orgId,
      commentId,
    ]);
    return commentManagedBy(unit.tx, readerOf(unit), commentId);
  }

  private async changed<Answer>(
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
    'select activity_visible as "activityVisible" from members where org_id = $1 and user_id = $2 and not is_erased',
    [meta.orgId, meta.key.id],
  );
  const message = 'Your membership is still being set up. Please try again.';
  if (!rows[0] || isLate('identity'))
    throw new Rejected('comments/member-not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
  return rows[0];
}

/** Who hides what they do would talk to nobody (D18). */
async function refuseUnready(unit: PersonUnit): Promise<void> {
  const { activityVisible } = await refuseErased(unit);
  const message = 'You hide your activity, so nobody could read this. Show it in Settings to comment.';
  if (!activityVisible) throw new Rejected('comments/activity-hidden', 'invalid', message);
}

/** Whether there were reports to put aside. */
async function putAside({ tx, meta }: PersonUnit, commentId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update comment_reports set dismissed_at = $3 where org_id = $1 and comment_id = $2 and dismissed_at is null`,
    [meta.orgId, commentId, meta.at],
  );
  return rowCount !== 0;
}

/** Its entry. Throws `Rejected` (not-found) when it is not the caller's. */
async function lockOwn({ tx, meta }: PersonUnit, commentId: string): Promise<string> {
  const { rows } = await tx.query<{ entryId: string }>(
    `select entry_id as "entryId" from comments where org_id = $1 and comment_id = $2 and author_id = $3 for update`,
    [meta.orgId, commentId, meta.key.id],
  );
  if (!rows[0]) throw noSuchComment();
  return rows[0].entryId;
}

async function readContent(unit: PersonUnit, { text, mentions }: CommentRequest): Promise<Content> {
  const ids = [...new Set(mentions)];
  const mentioned = await mentionableAmong(unit.tx, readerOf(unit), ids);
  const message = 'Somebody you mention cannot be mentioned.';
  if (mentioned.length < ids.length) throw new Rejected('comments/unknown-mention', 'invalid', message);
  return contentOf(text, mentioned);
}

/** Not kept: comments are rows that nobody else has. */
function writtenFact(
  { meta }: PersonUnit,
  { content, ...about }: { commentId: string; entryId: string; ownerId: string | null; content: Content },
): PublicEventOf<typeof commentWritten> & { isKept: false } {
  const mentionedIds = [...new Set(content.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.member])))];
  const data = { ...about, userId: meta.key.id, mentionedIds, writtenAt: meta.at.toISOString() };
  return { type: 'CommentWritten', version: 1, data, isKept: false };
}

function takenDownFact(
  about: { commentId: string; entryId: string; userId: string },
  at: Date,
): PublicEventOf<typeof commentTakenDown> & { isKept: false } {
  return { type: 'CommentTakenDown', version: 1, data: { ...about, takenDownAt: at.toISOString() }, isKept: false };
}

function shownAgainFact(
  about: { commentId: string; entryId: string; userId: string },
  at: Date,
): PublicEventOf<typeof commentShownAgain> & { isKept: false } {
  return { type: 'CommentShownAgain', version: 1, data: { ...about, shownAt: at.toISOString() }, isKept: false };
}
