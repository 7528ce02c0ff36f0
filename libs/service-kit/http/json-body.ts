const maximumDepth = 32;
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/;

/** Nested deeper than 32 levels, or with a NUL character, which PostgreSQL stores in no text. */
export function unfitText(text: string): string | undefined {
  if (escapedNul.test(text)) return 'NUL characters are not allowed';
  if (isTooDeep(text)) return `JSON may be nested ${maximumDepth} levels at most`;
  return undefined;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maximumDepth) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
