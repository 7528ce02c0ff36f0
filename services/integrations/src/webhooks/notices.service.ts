import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, ImportsService, type Observation } from '../importing/index.ts';
import type { AccountName } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { PlatformReads, recordNotices } from '../syncing/index.ts';
import { EndedAccounts } from './ended-accounts.service.ts';
import * as inbox from './inbox.store.ts';
import { isAnswerless, isVain, type Question, questionsOf, restSecondsOf } from './notice.ts';

type Answered = { readonly noticeIds: readonly string[]; readonly observations: readonly Observation[] };
type Asked = {
  readonly answered: readonly Answered[];
  readonly vain: readonly string[];
  readonly failure?: ProviderFailure;
};

/**
 * A notice is a hint and nothing else: what is so, the platform is asked, with the member's own token. So a forged one
 * costs a question, and order and repetition do not matter.
 */
@Injectable()
export class Notices {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(PlatformReads) private readonly platforms: PlatformReads,
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(EndedAccounts) private readonly ended: EndedAccounts,
  ) {}

  /** All that is due of an account; what its platform cannot answer now is due again later. */
  async read(name: AccountName): Promise<void> {
    for (let isAnswering = true; isAnswering;) {
      const claimed = await inbox.claim(this.rows, name);
      if (claimed.length === 0) return;
      const account = await this.platforms.accountOf(name);
      isAnswering = account ? await this.answer(account, claimed) : await this.drop(name, claimed);
    }
  }

  /** Nobody lets us ask: what was told is over, and so is the account, if that was told. */
  private async drop(name: AccountName, claimed: readonly inbox.Claimed[]): Promise<true> {
    if (claimed.some(isRevocation) && (await inbox.isKnown(this.rows, name))) await this.ended.end(name);
    await inbox.markHandled(this.rows, name.orgId, idsOf(claimed));
    return true;
  }

  /** False: the platform cannot be asked now. */
  private async answer(account: Account, claimed: readonly inbox.Claimed[]): Promise<boolean> {
    try {
      if (claimed.some(isRevocation) && !(await this.isPermitted(account))) return await this.drop(account, claimed);
      const asked = await this.ask(account, claimed);
      await this.keep(account, asked);
      const ended = new Set([...asked.answered.flatMap(({ noticeIds }) => noticeIds), ...asked.vain]);
      await inbox.markHandled(this.rows, account.orgId, [...ended]);
      if (asked.failure) throw asked.failure;
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // Of an owner whom we may ask for no longer, the next connection fetches all.
      if (error.why === 'reconnect') return this.drop(account, claimed);
      await inbox.postpone(this.rows, account.orgId, idsOf(claimed), restSecondsOf(claimed, error.retryAfterSeconds));
      return false;
    }
  }

  /** Until the platform is away; one question that it cannot answer holds no other back. */
  private async ask(account: Account, claimed: readonly inbox.Claimed[]): Promise<Asked> {
    const answered: Answered[] = [];
    const vain = claimed.filter(isAnswerless).map(({ noticeId }) => noticeId);
    let failure: ProviderFailure | undefined;
    for (const question of questionsOf(claimed)) {
      try {
        answered.push({ noticeIds: question.noticeIds, observations: await this.answerTo(account, question) });
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        const isGivenUp = claimed.some(
          ({ noticeId, tries }) => question.noticeIds.includes(noticeId) && isVain(error.why, tries),
        );
        if (isGivenUp) vain.push(...question.noticeIds);
        else failure = error;
        if (error.why !== 'unreadable' && error.why !== 'refused') break;
      }
    }
    return { answered, vain, ...(failure && { failure }) };
  }

  private async keep(account: Account, { answered }: Asked): Promise<void> {
    const observations = answered.flatMap((one) => one.observations);
    if (observations.length === 0) return;
    const run = { orgId: account.orgId, runId: randomUUID(), userId: account.userId, provider: account.provider };
    await this.imports.see(account, observations, (tx, counts) => recordNotices(tx, run, counts));
  }

  private answerTo(account: Account, question: Question): Promise<Observation[]> {
    return question.is === 'one'
      ? this.platforms.readAll(account, [question.externalId], 'notice')
      : this.platforms.readBetween(account, question, 'notice');
  }

  /** Whether the platform still lets us ask, whatever a delivery says: anybody can forge what is not signed. */
  private async isPermitted(account: Account): Promise<boolean> {
    const now = new Date();
    try {
      await this.platforms.readBetween(account, { from: now, to: new Date(now.getTime() + 1_000) }, 'notice');
      return true;
    } catch (error) {
      if (error instanceof ProviderFailure && error.why === 'reconnect') return false;
      throw error;
    }
  }
}

const isRevocation = ({ kind }: inbox.Claimed): boolean => kind === 'revoked';
const idsOf = (claimed: readonly inbox.Claimed[]): string[] => claimed.map(({ noticeId }) => noticeId);
