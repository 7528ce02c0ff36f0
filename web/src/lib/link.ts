/** The cursor in `<…?cursor=…>; rel="next"`; null where there is no next page. @param link the answer's Link header */
export function nextCursor(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URL(address, 'http://any').searchParams.get('cursor');
}
