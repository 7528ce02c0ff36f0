import { Rejected } from '@caravan/kernel/rejected';
import type { Sender } from './member-requests.ts';
import { NoPlace } from './no-place.ts';

/** Strangers take so much of each limit at most; the rest is for requests whose token was verified. */
const shareOfStrangers = 1 / 2;

export type BodyLimits = {
  /** Bodies that are arriving at a moment. */
  readonly unfinished: number;
  readonly unfinishedPerAddress: number;
  /** Bytes that all unfinished bodies together may hold; one address may hold half of them. */
  readonly heldBytes: number;
};

type Held = { bodies: number; bytes: number };
type Limit = {
  readonly pool: string;
  readonly bodies: number;
  readonly bytes: number;
  readonly refusal: () => Rejected;
};

export type BodyPlace = {
  /** Counts a part that is held until the place ends. Throws `Rejected`. */
  hold(bytes: number): void;
  end(): void;
};

/** Counts unfinished bodies and what is held of them: in total, of each network, and of strangers among both. */
export class BodyPlaces {
  private readonly pools = new Map<string, Held>();

  constructor(private readonly limits: BodyLimits) {}

  get total(): Readonly<Held> {
    return this.heldBy('all');
  }

  /** Throws `Rejected`. */
  take(sender: Sender): BodyPlace {
    const limits = this.limitsOf(sender);
    for (const { pool, bodies, refusal } of limits) if (this.heldBy(pool).bodies >= bodies) throw refusal();
    this.add(limits, { bodies: 1, bytes: 0 });
    let held = 0;
    return {
      hold: (more) => {
        for (const { pool, bytes, refusal } of limits) if (this.heldBy(pool).bytes + more > bytes) throw refusal();
        this.add(limits, { bodies: 0, bytes: more });
        held += more;
      },
      end: () => this.add(limits, { bodies: -1, bytes: -held }),
    };
  }

  private heldBy(pool: string): Readonly<Held> {
    return this.pools.get(pool) ?? { bodies: 0, bytes: 0 };
  }

  private add(limits: readonly Limit[], more: Held): void {
    for (const { pool } of limits) {
      const { bodies, bytes } = this.heldBy(pool);
      const held = { bodies: bodies + more.bodies, bytes: bytes + more.bytes };
      if (held.bodies > 0) this.pools.set(pool, held);
      else this.pools.delete(pool);
    }
  }

  private limitsOf({ network, isMember }: Sender): readonly Limit[] {
    const { unfinished, unfinishedPerAddress, heldBytes } = this.limits;
    const all = { pool: 'all', bodies: unfinished, bytes: heldBytes, refusal: tooBusy };
    const ofNetwork = { pool: network, bodies: unfinishedPerAddress, bytes: heldBytes / 2, refusal: tooMany };
    const limits = [all, ofNetwork];
    return isMember ? limits : limits.concat(limits.map(shareOf));
  }
}

const shareOf = ({ pool, bodies, bytes, refusal }: Limit): Limit => ({
  pool: `strangers ${pool}`,
  bodies: Math.ceil(bodies * shareOfStrangers),
  bytes: bytes * shareOfStrangers,
  refusal,
});

const tooMany = () =>
  new Rejected('gateway/too-many-bodies', 'too-many', 'Too much is being sent from your network. Please try again.', {
    retryAfterSeconds: 5,
  });
const tooBusy = () =>
  new NoPlace('gateway/too-busy', 'Too much is asked at once. Please try again in a few seconds.', 2);
