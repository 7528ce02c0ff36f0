import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/** Statements beyond this are not prepared: a text that varies without end would fill the server's memory. */
const maxNames = 1_000;

/** The prepared statement's name for a text: derived from it, so that equal texts are parsed once per connection. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}
