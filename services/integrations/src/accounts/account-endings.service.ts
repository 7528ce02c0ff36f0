import { EventStore } from '@caravan/event-store/core/event-store';
import { Live } from '@caravan/service-kit/live/live';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountName } from '../ports.ts';
import { dropTokens, forgetAccount } from './account-tokens.store.ts';
import { platformDisconnected, reconnectNeeded } from './public-events.ts';

export type Ending = { readonly why: 'asked' | 'revoked'; readonly areImportsRemoved: boolean };

@Injectable()
export class AccountEndings {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Log) private readonly log: Log,
    @Inject(Live) private readonly live: Live,
  ) {}

  /**
   * The platform takes the tokens no longer: its owner is asked to connect anew, and nobody is signed out of anything.
   * @param renewal by whom it was refused; `wasBrokenOff`: others may have been given, to a process that died with them
   */
  async giveUp(
    account: AccountName,
    renewal?: { readonly refreshLease: string; readonly wasBrokenOff: boolean },
  ): Promise<void> {
    const { orgId, userId } = account;
    const at = new Date();
    const meta = { orgId, actorId: null, at, key: { of: 'person', id: userId } } as const;
    const isGivenUp = await this.store.transaction(meta, async (unit) => {
      if (!(await dropTokens(unit.tx, account, renewal?.refreshLease ?? null))) return false;
      await unit.publish(reconnectNeeded(account, at));
      return true;
    });
    if (!isGivenUp) return;
    const wasBrokenOff = renewal?.wasBrokenOff ?? false;
    this.log.warn(
      { event: 'platform-reconnect', ...account, wasBrokenOff },
      'a platform takes the tokens of an account no longer',
    );
    this.live.publish(account.orgId, ['devices'], { to: account.userId });
  }

  /** The account goes, and its owner is mailed: together, and once. */
  async end({ orgId, userId, provider }: AccountName, ending: Ending): Promise<void> {
    const at = new Date();
    const meta = { orgId, actorId: userId, at, key: { of: 'person', id: userId } } as const;
    await this.store.transaction(meta, async (unit) => {
      if (!(await forgetAccount(unit.tx, { orgId, userId, provider }))) return;
      await unit.publish(platformDisconnected({ orgId, userId, provider }, ending, at));
    });
    this.live.publish(orgId, ['devices'], { to: userId });
  }
}
