import { Rejected } from '@caravan/kernel/rejected';
import { NoPlace } from '../admission/no-place.ts';

export type PlaceLimits = {
  readonly total: number;
  readonly perNetwork: number;
  readonly perPerson: number;
};

type Holder = { readonly userId: string; readonly network: string };

/** Counts the uploads under way, of each person, of each network and of all. */
export class UploadPlaces {
  private readonly ofPerson = new Map<string, number>();
  private readonly ofNetwork = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: PlaceLimits) {}

  /** Throws `Rejected` when there is no place. @param holder of an address whose signature was verified */
  async during<Result>({ userId, network }: Holder, work: () => Promise<Result>): Promise<Result> {
    if ((this.ofPerson.get(userId) ?? 0) >= this.limits.perPerson) throw tooMany();
    if ((this.ofNetwork.get(network) ?? 0) >= this.limits.perNetwork) throw tooMany();
    if (this.total >= this.limits.total) throw noneLeft();
    add(this.ofPerson, userId, 1);
    add(this.ofNetwork, network, 1);
    this.total += 1;
    try {
      return await work();
    } finally {
      add(this.ofPerson, userId, -1);
      add(this.ofNetwork, network, -1);
      this.total -= 1;
    }
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

const tooMany = () =>
  new Rejected('upload/too-many', 'too-many', 'Too many files are on their way. Please wait until some have arrived.', {
    retryAfterSeconds: 5,
  });
const noneLeft = () => new NoPlace('storage/unavailable', 'Photos cannot be stored right now. Please try again.', 5);
