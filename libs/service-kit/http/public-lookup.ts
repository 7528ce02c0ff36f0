import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './network.ts';

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

type LookupOptions = {
  readonly isOutside?: (address: string) => boolean;
  /** The servers that the machine asks unless others are named. */
  readonly nameServers?: readonly string[];
};

/**
 * Looks a name up for one connection, which goes to an address that was looked at and to no other: a name that leads
 * elsewhere a moment later does not matter (S30). One address inside refuses the name. Fails with `PrivateAddress`.
 */
export function publicLookup({ isOutside = isPublicAddress, nameServers }: LookupOptions = {}): LookupFunction {
  // Not the system's: names that nobody answers for would take the threads that hash passwords.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return (hostname, options, done) => {
    const all = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    void Promise.allSettled(all).then((found) => {
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      const [first] = addresses;
      if (first === undefined) return done(new Error(`Nobody is called ${hostname}`), '', 0);
      if (!addresses.every(isOutside)) return done(new PrivateAddress(hostname), '', 0);
      if (!options.all) return done(null, first, isIP(first));
      return done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    });
  };
}
