import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/social.events';
import { auditedAct } from '@caravan/service-kit/telemetry/audited';
import type { Content } from './comment.ts';

// The log keeps none of these: comments are rows that no other service has.

type Unkept<Contract> = PublicEventOf<Contract> & { readonly isKept: false };
type About = { readonly commentId: string; readonly entryId: string; readonly userId: string };
type Written = About & { readonly ownerId: string | null; readonly content: Content };

export function commentWritten(
  { commentId, entryId, ownerId, userId, content }: Written,
  at: Date,
): Unkept<typeof facts.commentWritten> {
  const mentionedIds = [...new Set(content.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.member])))];
  const data = { commentId, entryId, ownerId, userId, mentionedIds, writtenAt: at.toISOString() };
  return { type: 'CommentWritten', version: 1, data, isKept: false };
}

export function commentTakenDown(
  { commentId, entryId, userId }: About,
  at: Date,
): Unkept<typeof facts.commentTakenDown> {
  const data = { commentId, entryId, userId, takenDownAt: at.toISOString() };
  return { type: 'CommentTakenDown', version: 1, data, isKept: false };
}

export function commentShownAgain(
  { commentId, entryId, userId }: About,
  at: Date,
): Unkept<typeof facts.commentShownAgain> {
  const data = { commentId, entryId, userId, shownAt: at.toISOString() };
  return { type: 'CommentShownAgain', version: 1, data, isKept: false };
}

export const hidingAudited = () => auditedAct('comment.hidden');
export const showingAudited = () => auditedAct('comment.shown');
export const dismissalAudited = () => auditedAct('comment.reports-dismissed');
