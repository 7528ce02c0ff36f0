import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 of IPv6, which is what one connection is given. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain.kind() === 'ipv4') return plain.toString();
  return `${plain.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}

/** All that IANA gives to networks; ipaddr.js calls what it does not know, such as `4000::1`, unicast too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether it lies in the open internet: nothing of one's own machine or network answers there (S30). */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  // Other spellings of IPv4, such as `134744072`, are refused: not every resolver reads them alike.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false;
  const plain = ipaddr.process(bare);
  return plain.range() === 'unicast' && (plain.kind() === 'ipv4' || plain.match(globalUnicast));
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
