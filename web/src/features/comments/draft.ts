import { draftOf, keepDraft, useDraft } from '../../lib/drafts.ts';
import { currentSession, useSession } from '../../lib/session-state.ts';
import type { Picked } from './mentions.ts';

/** The text in a comment's field, with those who were picked behind an `@`. */
export type Written = { readonly text: string; readonly picked: readonly Picked[] };

export const nothingWritten: Written = { text: '', picked: [] };

const nameOf = (entryId: string): string => `comment ${entryId}`;

const isWritten = (draft: unknown): draft is Written =>
  typeof draft === 'object' &&
  draft !== null &&
  'text' in draft &&
  typeof draft.text === 'string' &&
  'picked' in draft &&
  Array.isArray(draft.picked);

/** The comment that a member has begun below an entry; it survives leaving the page, on this device. */
export function useCommentDraft(entryId: string): [Written, (next: Written) => void] {
  const userId = useSession().user?.id ?? '';
  const draft = useDraft(userId, nameOf(entryId));
  const change = (next: Written) => keepDraft(userId, nameOf(entryId), next.text === '' ? undefined : next);
  return [isWritten(draft) ? draft : nothingWritten, change];
}

/** A change of one's own comment that was begun; it survives leaving the page as well. Undefined: none. */
export function useEditDraft(commentId: string): [Written | undefined, (next: Written | undefined) => void] {
  const userId = useSession().user?.id ?? '';
  const name = `edit ${commentId}`;
  const draft = useDraft(userId, name);
  return [isWritten(draft) ? draft : undefined, (next) => keepDraft(userId, name, next)];
}

/** The comment is sent. What was typed while it was under way stays. */
export function forgetSent(entryId: string, sentText: string): void {
  const userId = currentSession().user?.id ?? '';
  const draft = draftOf(userId, nameOf(entryId));
  if (isWritten(draft) && draft.text.trim() === sentText) keepDraft(userId, nameOf(entryId), undefined);
}
