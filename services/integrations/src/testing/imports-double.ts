import type { AccountName, Imports } from '../ports.ts';

type Call = readonly [name: keyof Imports, account: AccountName, ...rest: unknown[]];

/** Notes what the room that imports is asked. */
export class ImportsDouble implements Imports {
  readonly calls: Call[] = [];
  removable = 3;
  before: (() => Promise<void>) | undefined;

  of({ userId }: { readonly userId: string }) {
    return this.calls.filter(([, account]) => account.userId === userId).map(([name, , ...rest]) => [name, ...rest]);
  }

  begin(account: AccountName): Promise<void> {
    this.calls.push(['begin', account]);
    return Promise.resolve();
  }

  rescore(account: AccountName, isScored: boolean): Promise<void> {
    this.calls.push(['rescore', account, isScored]);
    return Promise.resolve();
  }

  async retractAll(account: AccountName): Promise<number> {
    await this.before?.();
    this.calls.push(['retractAll', account]);
    return this.removable;
  }

  figuresOf() {
    return Promise.resolve({ importCount: 4, backfill: null });
  }
}
