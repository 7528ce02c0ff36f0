// Nearly every common password is built on one of these.
const commonWords = `
  password passwort passw welcome willkommen letmein login admin administrator changeme qwerty qwertz azerty
  qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd abcdef iloveyou sunshine princess monkey dragon shadow
  master superman batman football baseball soccer hockey liverpool chelsea arsenal michael jordan jennifer
  charlie ashley nicole summer winter spring autumn january february december november october september august
  monday friday sunday secret freedom whatever trustno starwars pokemon computer internet testtest test demo
  guest user hello company temp default access flower cookie cheese`
  .trim()
  .split(/\s+/);

const lettersLike: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
  8: 'b',
};

/** Who chooses a password, and where: what a guesser would try first. */
export type PasswordContext = {
  readonly name: string;
  readonly email: string;
  readonly organization?: string | undefined;
};

/** Little more than a common word, a run or something about its owner: fewer than five letters remain (S13). */
export function isEasilyGuessed(password: string, { name, email, organization }: PasswordContext): boolean {
  const spelled = [lettersOf(password), lettersOf(plain(password))];
  const owners = [name, email.split('@', 1)[0] ?? '', organization ?? '', 'caravan'].flatMap((text) => {
    const words = text.toLowerCase().split(/[^\p{L}]+/u);
    return [...words, words.join('')].filter((word) => word.length >= 4);
  });
  const isRun = new Set(password.toLowerCase()).size <= 4;
  return isRun || spelled.some((letters) => [...commonWords, ...owners].some((word) => isMostly(letters, word)));
}

function isMostly(letters: string, word: string): boolean {
  return letters.includes(word) && letters.length - word.length < 5;
}

function plain(password: string): string {
  return password.replace(/[@4310!$578]/g, (sign) => lettersLike[sign] ?? sign);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '');
}
