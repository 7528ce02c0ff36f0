/** Splits what follows a command into the name of a part and what is meant for another program, which may stand alone. */
export function nameAndRest(words: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first] = words;
  const isName = first !== undefined && !first.startsWith('-');
  return { name: isName ? first : undefined, rest: words.slice(isName ? 1 : 0) };
}
