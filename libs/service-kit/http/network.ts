import { BlockList, isIPv4, isIPv6 } from 'node:net';

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

const special = new BlockList();
// What IANA lists as not reachable from everywhere (RFC 6890 and its successors).
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
  special.addSubnet(...partsOf(range), 'ipv4');
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  special.addSubnet(...partsOf(range), 'ipv6');
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

function partsOf(range: string): [string, number] {
  const [address = '', bits = ''] = range.split('/');
  return [address, Number(bits)];
}

/** Whether it lies in the open internet: nothing of one's own machine or network answers there (S30). */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIPv4(bare)) return !special.check(bare, 'ipv4');
  if (!isIPv6(bare)) return false;
  const embedded = ipv4In(groupsOf(new URL(`http://[${bare}]`).hostname.slice(1, -1)));
  if (embedded !== undefined) return isPublicAddress(embedded);
  return unicast.check(bare, 'ipv6') && !special.check(bare, 'ipv6');
}

const ownNames = /(^|\.)(localhost|local|internal|intranet|home|lan|corp|test|invalid|onion|home\.arpa)$/i;
const numeric = /^[\d.]+$|^\[/;

/**
 * Whether a host, as a URL writes it, may lie in the open internet. What a name leads to is looked at when it is asked
 * (S30). @param isOutside of addresses
 */
export function isOutsideHost(hostname: string, isOutside: (address: string) => boolean = isPublicAddress): boolean {
  const host = hostname.replace(/\.$/, '');
  return numeric.test(host) ? isOutside(host) : host.includes('.') && !ownNames.test(host);
}
