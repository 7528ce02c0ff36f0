import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Twenty bits a word and fourteen looks: one stranger in 10,000 is taken for a word. */
export const filterBytes = 250_000;
const looks = 14;

export function bitsOf(word: string): number[] {
  const hash = createHash('sha256').update(word).digest();
  const first = hash.readUIntLE(0, 6);
  const step = hash.readUIntLE(6, 6);
  return Array.from({ length: looks }, (_, look) => (first + look * step) % (filterBytes * 8));
}

/** The 100,000 most common passwords as a Bloom filter, made by `write-common-passwords.ts`. */
export class CommonPasswords {
  private readonly filter = readFileSync(new URL('./common-passwords.bloom', import.meta.url));

  has(word: string): boolean {
    return bitsOf(word).every((bit) => ((this.filter[bit >> 3] ?? 0) >> (bit & 7)) & 1);
  }

  isOneOf(password: string): boolean {
    return spellingsOf(password).some((spelling) => this.has(spelling));
  }
}

const shortestStem = 4;

const lettersLike: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  8: 'b',
  3: 'e',
  9: 'g',
  6: 'g',
  1: 'i',
  '!': 'i',
  '|': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
  '+': 't',
  2: 'z',
};
/** What the figures of a keyboard's top row write with Shift. */
const shifted = '!@#$%^&*()';

/** In small letters, without what is pasted on at the ends, letters for what stands for them, one half of two. */
export function spellingsOf(password: string): string[] {
  const plain = password.normalize('NFKC').toLowerCase();
  const bare = [plain, ...[/[^\p{L}\p{Nd}]+$/u, /[^\p{L}]+$/u].map((tail) => plain.replace(tail, ''))];
  const stems = [
    ...bare,
    ...[/^[^\p{L}\p{Nd}]+/u, /^[^\p{L}]+/u].flatMap((head) => bare.map((text) => text.replace(head, ''))),
  ];
  const spelled = stems.flatMap((stem) => [stem, unleet(stem), unleet(stem.replaceAll('1', 'l')), unshiftKeys(stem)]);
  const once = spelled.map((text) => text.replace(/^(.+?)\1+$/u, '$1'));
  return [...new Set([...spelled, ...once])].filter((text) => text.length >= shortestStem);
}

function unleet(text: string): string {
  return text.replace(/[@483961!|0$57+2]/g, (sign) => lettersLike[sign] ?? sign);
}

function unshiftKeys(text: string): string {
  return text.replace(/[!@#$%^&*()]/g, (sign) => String((shifted.indexOf(sign) + 1) % 10));
}
