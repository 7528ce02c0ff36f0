import type { Comment, Mentionable } from '@caravan/contracts/http/comments';

/** A member picked from the list behind an `@`. */
export type Picked = Pick<Mentionable[number], 'id' | 'name'>;

const mostMentions = 10;

/** What is being typed behind an `@` at the cursor: where it begins and the name so far; null where nothing is. */
export function mentionAt(text: string, cursor: number): { start: number; name: string } | null {
  const start = text.lastIndexOf('@', cursor - 1);
  if (start < 0 || /[\p{L}\p{N}_]/u.test(text[start - 1] ?? ' ')) return null;
  const name = text.slice(start + 1, cursor);
  // Two words at most: what comes later is a sentence.
  return /^\p{L}[\p{L}\p{M}'’.-]*( [\p{L}\p{M}'’.-]*)?$/u.test(name) || name === '' ? { start, name } : null;
}

/** The text with a member's name in the place of what was typed, and where the cursor then stands. */
export function withMention(text: string, { start, name }: { start: number; name: string }, picked: Picked) {
  const before = `${text.slice(0, start)}@${picked.name} `;
  return { text: before + text.slice(start + 1 + name.length).trimStart(), cursor: before.length };
}

/** Ids of those whose name still stands in the text. */
export const mentionedIn = (text: string, picked: readonly Picked[]): string[] =>
  [...new Set(picked.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id))].slice(0, mostMentions);

/** Whom a comment mentions, for writing it anew. */
export const pickedOf = ({ text, mentions }: Pick<Comment, 'text' | 'mentions'>): Picked[] =>
  mentions.flatMap(({ start, length, profileId }) =>
    profileId === null ? [] : [{ id: profileId, name: text.slice(start + 1, start + length) }],
  );

export type Part = { text: string; mention: { profileId: string | null } | null };

/** A comment's text in parts, plain and mentions. */
export function partsOf({ text, mentions }: Pick<Comment, 'text' | 'mentions'>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, length, profileId } of mentions.toSorted((one, other) => one.start - other.start)) {
    if (start < at || start + length > text.length) continue;
    if (start > at) parts.push({ text: text.slice(at, start), mention: null });
    parts.push({ text: text.slice(start, start + length), mention: { profileId } });
    at = start + length;
  }
  return at < text.length ? [...parts, { text: text.slice(at), mention: null }] : parts;
}
