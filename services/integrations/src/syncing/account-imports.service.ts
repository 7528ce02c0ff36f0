import { Inject, Injectable } from '@nestjs/common';
import { ImportsService } from '../importing/index.ts';
import type { AccountName, ImportFigures, Imports } from '../ports.ts';
import { Rows } from '../rows/index.ts';
import { importFiguresOf } from './sync.query.ts';
import { Syncing } from './syncing.service.ts';
import { Syncs } from './syncs.job.ts';

/** What accounts ask of their imports. */
@Injectable()
export class AccountImports implements Imports {
  constructor(
    @Inject(Syncing) private readonly syncing: Syncing,
    @Inject(Syncs) private readonly syncs: Syncs,
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Rows) private readonly rows: Rows,
  ) {}

  async begin(account: AccountName): Promise<void> {
    const run = await this.syncing.begin(account, 'connect');
    if (!run) return;
    await this.syncs.enqueueOrKeep(run);
  }

  rescore(account: AccountName, isScored: boolean): Promise<void> {
    return this.imports.rescore(account, isScored);
  }

  retractAll(account: AccountName): Promise<number> {
    return this.imports.retractAll(account);
  }

  figuresOf(account: AccountName): Promise<ImportFigures> {
    return importFiguresOf(this.rows, account);
  }
}
