import type { Comment } from '@caravan/contracts/http/comments';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { Rejected } from '@caravan/kernel/rejected';

/** A mention is kept as an id: what the member is called then, and whether the reader may know, is asked at reading. */
export type Content = readonly (string | { readonly member: string })[];

export type Named = { readonly id: string; readonly name: string };

/** What was typed, with `@Name` of those mentioned as ids. Of two of one name the first stands first. */
export function contentOf(text: string, mentioned: readonly Named[]): Content {
  const waiting = Map.groupBy(mentioned, ({ name }) => name);
  const names = [...waiting.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (names.length === 0) return [text];
  const content: (string | { member: string })[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(
    new RegExp(`@(${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu'),
  )) {
    const those = waiting.get(name) ?? [];
    const member = those.length > 1 ? those.shift() : those[0];
    if (!member) continue;
    if (index > end) content.push(text.slice(end, index));
    content.push({ member: member.id });
    end = index + whole.length;
  }
  if (end < text.length) content.push(text.slice(end));
  return content;
}

/** By the id of a mentioned member; who is missing may not be named to the reader. */
export type ShownNames = Readonly<Record<string, { readonly name: string; readonly profileId: string | null }>>;

export function shownOf(content: Content, names: ShownNames): Pick<Comment, 'text' | 'mentions'> {
  let text = '';
  const mentions: Comment['mentions'] = [];
  for (const piece of content) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    const { name, profileId } = names[piece.member] ?? { name: hiddenMemberName, profileId: null };
    mentions.push({ start: text.length, length: name.length + 1, profileId });
    text += `@${name}`;
  }
  return { text, mentions };
}

export type CommentRow = {
  readonly id: string;
  readonly isMine: boolean;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly profileId: string | null;
  readonly content: Content;
  readonly mentioned: ShownNames;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly isHidden: boolean;
  readonly hiddenReason: string | null;
};

/** With the bare path of its author's picture: an answer that is kept holds nothing signed. */
export function commentOf(row: CommentRow): Comment {
  return {
    id: row.id,
    user: { name: row.name ?? hiddenMemberName, avatar: row.avatar, profileId: row.profileId },
    ...shownOf(row.content, row.mentioned),
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    isMine: row.isMine,
    hidden: row.isMine && row.isHidden ? { reason: row.hiddenReason ?? '' } : null,
  };
}

const editableMinutes = 5;

/** Throws `Rejected` (422) when it is too late, or an admin has hidden it. */
export function refuseEditing({ createdAt, isHidden }: Pick<CommentRow, 'createdAt' | 'isHidden'>, at: Date): void {
  if (isHidden)
    throw new Rejected('comments/hidden', 'invalid', 'An admin has hidden this comment. You can only delete it.');
  if (at.getTime() - createdAt.getTime() > editableMinutes * 60_000)
    throw new Rejected('comments/too-late', 'invalid', `A comment can be edited for ${editableMinutes} minutes.`);
}
