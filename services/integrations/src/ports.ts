import type { FitnessAccount, FitnessProvider } from '@caravan/contracts/http/fitness';

// What rooms ask of each other beside their order: each symbol injects the one who answers, as app.module.ts says.

/** A member's account at a platform. */
export type AccountName = {
  readonly orgId: string;
  readonly userId: string;
  readonly provider: FitnessProvider;
};

/** Of the room `accounts`. */
export const AccountTokens = Symbol('AccountTokens');
export type AccountTokens = {
  /** Renewed when it has run out, by one process at a time. Throws `ProviderFailure`; 'reconnect' when none can be had. */
  accessTokenOf(account: AccountName): Promise<string>;
  /** The platform took this token no longer: it is renewed before the next one is given, and if that fails, the account is to be connected anew. */
  handleRefusal(account: AccountName, accessToken: string): Promise<void>;
  /** Its owner has ended it at the platform: the account goes and its owner is mailed; its imports are to be gone by then, where nobody else may see them (D21). */
  handleRevocation(account: AccountName): Promise<void>;
};

export type ImportFigures = Pick<FitnessAccount, 'importCount' | 'backfill'>;

/** Of the room `importing`. */
export const Imports = Symbol('Imports');
export type Imports = {
  /** Fetches the last 30 days, once the account is there. */
  begin(account: AccountName): Promise<void>;
  /** What was imported from it earns from now on, or earns no longer. */
  rescore(account: AccountName, isScored: boolean): Promise<void>;
  /** All that was imported from it goes; answers how many logs went with it. */
  retractAll(account: AccountName): Promise<number>;
  figuresOf(account: AccountName): Promise<ImportFigures>;
};
