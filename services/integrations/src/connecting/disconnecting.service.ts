import { fitnessWords } from '@caravan/contracts/http/fitness';
import { Rejected } from '@caravan/kernel/rejected';
import { Inject, Injectable } from '@nestjs/common';
import { AccountEndings, Revocations } from '../accounts/index.ts';
import { type AccountName, Imports } from '../ports.ts';

/** Ends what a member has agreed with a platform. */
@Injectable()
export class Disconnecting {
  constructor(
    @Inject(Revocations) private readonly revocations: Revocations,
    @Inject(AccountEndings) private readonly endings: AccountEndings,
    @Inject(Imports) private readonly imports: Imports,
  ) {}

  /**
   * Answers how many activities went with it. Each step can be repeated: the account goes last.
   * @param deletesImported its owner's wish; what nobody else may see goes with the permission in any case (D21)
   */
  async disconnect(account: AccountName, deletesImported: boolean): Promise<number> {
    const revoked = await this.revocations.revoke(account);
    if (!revoked) throw new Rejected('fitness/not-connected', 'conflict', fitnessWords.notConnected);
    const areImportsRemoved = deletesImported || revoked.audience === 'owner';
    const removed = areImportsRemoved ? await this.imports.retractAll(account) : 0;
    await this.endings.end(account, { why: 'asked', areImportsRemoved });
    return removed;
  }
}
