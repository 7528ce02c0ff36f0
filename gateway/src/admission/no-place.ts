import { Rejected } from '@caravan/kernel/rejected';

/** A limit of all callers together is reached. Refusals of this kind stand in the security log. */
export class NoPlace extends Rejected {
  constructor(code: string, message: string, retryAfterSeconds: number) {
    super(code, 'unavailable', message, { retryAfterSeconds });
  }
}
