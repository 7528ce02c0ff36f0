import type { FitnessAccount, FitnessProvider } from '@caravan/contracts/http/fitness';

// Rooms below tell those above: what becomes of imports when an account changes.

/** A member's account at a platform: there is one at most. */
export type AccountKey = { readonly orgId: string; readonly userId: string; readonly provider: FitnessProvider };

export type ImportFigures = Pick<FitnessAccount, 'importCount' | 'backfill'>;

export const Imports = Symbol('Imports');
export type Imports = {
  /** It was connected: what its owner did lately is fetched. Answers when that is queued. */
  begin(account: AccountKey): Promise<void>;
  /** What it imports earns miles from now on, or none; for what was imported before too. */
  rescore(account: AccountKey, isScored: boolean): Promise<void>;
  /** Takes back all that it imported; answers how many logs that were. Again: nothing is left. */
  retractAll(account: AccountKey): Promise<number>;
  figuresOf(account: AccountKey): Promise<ImportFigures>;
};
