const mostCharacters = 40;
/** What a reader's program would make a link or an address of: with a scheme, a slash, an at sign, or www in front. */
const link = /^www\.|[/@\\:]/i;

/**
 * A name as mails show it: short, without links, markup and control characters, since whoever chose it may not be
 * whoever reads it. Empty when nothing is left.
 */
export function nameInMail(name: string): string {
  const words = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[<>"=?()[\]{}]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !link.test(word))
    // A dot inside a word makes an address of it; initials keep theirs.
    .map((word) => word.replaceAll(/[.\u3002](?=[\p{L}\p{N}]{2})/gu, ' '));
  const whole = words.join(' ').replaceAll(/ +/g, ' ').trim();
  const short = [...whole].slice(0, mostCharacters).join('').trim();
  return short.length < whole.length ? `${short}…` : short;
}
