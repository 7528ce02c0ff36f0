/** What somebody is greeted by. The whole name where it begins with an initial or a title, and where it is one word. */
export function firstNameOf(name: string): string {
  const whole = name.trim();
  const [first = whole] = whole.split(/\s+/u);
  const isShort = first.endsWith('.') || /^[A-Za-z]$/.test(first);
  return isShort ? whole : first;
}
