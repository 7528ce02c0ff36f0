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

/**
 * How a list of common passwords may spell a password: in small letters, without figures and signs pasted on at its ends, with
 * letters for the figures and signs that stand for them, its half where it says everything twice.
 */
export function spellingsOf(password: string): string[] {
  const plain = password.normalize('NFKC').toLowerCase();
  const bare = [plain, ...[/[^\p{L}\p{Nd}]+$/u, /[^\p{L}]+$/u].map((tail) => plain.replace(tail, ''))];
  const stems = [
    ...bare,
    ...[/^[^\p{L}\p{Nd}]+/u, /^[^\p{L}]+/u].flatMap((head) => bare.map((text) => text.replace(head, ''))),
  ];
  const spelled = stems.flatMap((stem) => [stem, unleet(stem), unleet(stem.replaceAll('1', 'l')), unshifted(stem)]);
  const once = spelled.map((text) => text.replace(/^(.+?)\1+$/u, '$1'));
  return [...new Set([...spelled, ...once])].filter((text) => text.length >= shortestStem);
}

function unleet(text: string): string {
  return text.replace(/[@483961!|0$57+2]/g, (sign) => lettersLike[sign] ?? sign);
}

function unshifted(text: string): string {
  return text.replace(/[!@#$%^&*()]/g, (sign) => String((shifted.indexOf(sign) + 1) % 10));
}
