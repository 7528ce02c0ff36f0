/** An IPv4 address, or the /64 of IPv6, which is what one connection is given. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]`)) return bare;
  const groups = groupsOf(new URL(`http://[${bare}]`).hostname.slice(1, -1));
  const embedded = ipv4In(groups);
  return embedded ?? `${groups.slice(0, 4).join(':')}::/64`;
}

function groupsOf(canonical: string): string[] {
  const [head = '', tail] = canonical.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  if (!before || !after || tail === undefined) return head.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** `::ffff:192.0.2.1` is how a socket for both families writes an IPv4 address. */
function ipv4In(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}
