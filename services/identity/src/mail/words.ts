const mostCharacters = 40;

type Cleaning = {
  readonly signs: RegExp;
  /** What a reader's program would make a link of. */
  readonly link: RegExp;
  /** A dot inside a word makes an address of it; initials keep theirs. */
  readonly dot: RegExp;
};

const ofNames: Cleaning = {
  signs: /[<>"=?()[\]{}]/g,
  link: /^www\.|[/@\\:]/i,
  dot: /[.\u3002](?=[\p{L}\p{N}]{2})/gu,
};

// Figures, questions and colons stand in sentences.
const ofSentences: Cleaning = { signs: /[<>[\]{}]/g, link: /^www\.|[/@\\]|:\S/i, dot: /[.\u3002](?=\p{L}{2})/gu };

/** Short, without links, markup and control characters: whoever chose it may not be whoever reads it. */
export function nameInMail(name: string): string {
  return cleanText(name, mostCharacters, ofNames);
}

/** The same of a sentence that holds names and what people typed. */
export function sentenceInMail(sentence: string, most: number): string {
  return cleanText(sentence, most, ofSentences);
}

function cleanText(text: string, most: number, { signs, link, dot }: Cleaning): string {
  const words = text
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(signs, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !link.test(word))
    .map((word) => word.replaceAll(dot, ' '));
  const whole = words.join(' ').replaceAll(/ +/g, ' ').trim();
  const short = [...whole].slice(0, most).join('').trim();
  return short.length < whole.length ? `${short}…` : short;
}
