import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { spellingsOf } from './common-passwords.ts';

/** Twenty bits for each of 100,000 words, and as many looks as that wants: of strangers one in 10,000 is taken for a word. */
export const filterBytes = 250_000;
const looks = 14;

/** Where the bits of a word are. */
export function bitsOf(word: string): number[] {
  const hash = createHash('sha256').update(word).digest();
  const [first, step] = [hash.readUIntLE(0, 6), hash.readUIntLE(6, 6)];
  return Array.from({ length: looks }, (_, look) => (first + look * step) % (filterBytes * 8));
}

/**
 * The 100,000 most common passwords as a Bloom filter, made by `write-common-passwords.ts`: it knows each of them, and takes
 * few others for one.
 */
export class CommonPasswords {
  private readonly filter = readFileSync(new URL('./common-passwords.bloom', import.meta.url));

  has(word: string): boolean {
    return bitsOf(word).every((bit) => ((this.filter[bit >> 3] ?? 0) >> (bit & 7)) & 1);
  }

  /** Whether a password is one of them, however it is dressed up. */
  isOneOf(password: string): boolean {
    return spellingsOf(password).some((spelling) => this.has(spelling));
  }
}
