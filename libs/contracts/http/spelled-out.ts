// Not every tool that reads a JSON Schema knows \p{Ll}; all know its characters.
const kindsInPattern = /\[(?:\\.|[^\]\\])*\]|\\p\{\w+\}/g;
const kinds = /(?:\\p\{\w+\})+/g;
const endOfPlanes = 0x20000;

const spelled = new Map<string, string>();

export function spelledOut(pattern: string): string {
  return pattern.replaceAll(kindsInPattern, (part) => {
    const ranges = part.replaceAll(kinds, spelledKinds);
    return part.startsWith('[') ? ranges : `[${ranges}]`;
  });
}

function spelledKinds(run: string): string {
  const known = spelled.get(run) ?? rangesOf(new RegExp(`[${run}]`, 'u'));
  spelled.set(run, known);
  return known;
}

function rangesOf(kind: RegExp): string {
  let ranges = '';
  let first: number | undefined;
  for (let code = 0; code <= endOfPlanes; code += 1) {
    const isIn = code < endOfPlanes && kind.test(String.fromCodePoint(code));
    if (isIn) first ??= code;
    else if (first !== undefined) {
      ranges += rangeOf(first, code - 1);
      first = undefined;
    }
  }
  return ranges;
}

function rangeOf(first: number, last: number): string {
  if (first === last) return escapedCharacter(first);
  return `${escapedCharacter(first)}${last === first + 1 ? '' : '-'}${escapedCharacter(last)}`;
}

const escapedCharacter = (code: number): string => String.fromCodePoint(code).replace(/[\\\][^-]/, String.raw`\$&`);
