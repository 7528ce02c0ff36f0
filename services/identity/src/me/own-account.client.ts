import type { Caller } from '@caravan/auth/claims';
import type { Privacy } from '@caravan/contracts/http/people';
import { EventStore, type Unit } from '@caravan/event-store/event-store';
import { Live } from '@caravan/service-kit/live';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses, Managing } from '../ports.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { type AccountChange, changed, type OwnAccount } from './own-account.ts';
import { lockedAccount, writeAccount } from './own-account.query.ts';

type News = ReadonlySet<keyof OwnAccount>;
type PrivacyChange = { [Key in keyof Privacy]?: boolean | undefined };

/** What is asked for beside words and switches of one's own. */
type Beside = {
  readonly privacy?: PrivacyChange | undefined;
  /** An address that is wanted instead of the own one. */
  readonly wanted?: string | undefined;
};

/** What somebody changes about themselves: rows, what the other services must hear, and a link to a wanted address. */
@Injectable()
export class OwnAccounts {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Managing) private readonly managing: Managing,
    @Inject(Addresses) private readonly addresses: Addresses,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** Throws `Rejected`; then nothing has changed. */
  async change(
    caller: Caller,
    change: (before: OwnAccount) => AccountChange,
    { privacy = {}, wanted }: Beside = {},
  ): Promise<void> {
    const { orgId, userId, meta } = caller;
    const news = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const before = await lockedAccount(unit.tx, caller);
      const { after, news } = changed(before, change(before));
      if (news.size > 0) await this.write(unit, userId, { after, news });
      if (Object.values(privacy).some((value) => value !== undefined))
        await this.managing.choosePrivacy(unit, userId, privacy);
      if (wanted !== undefined) await this.addresses.want(unit.tx, caller, wanted, meta.at);
      return news;
    });
    this.tell(caller, news, privacy);
    if (wanted !== undefined) this.live.publish(orgId, ['me'], { to: userId });
  }

  private async write(unit: Unit, userId: string, { after, news }: { after: OwnAccount; news: News }): Promise<void> {
    const { tx, meta } = unit;
    const person = { orgId: meta.orgId, userId };
    await writeAccount(tx, person, after);
    if (news.has('name') || news.has('timeZone')) await this.managing.editProfile(unit, userId);
  }

  private tell({ orgId, userId }: Caller, news: News, privacy: PrivacyChange): void {
    const isPrivacyNamed = Object.keys(privacy).length > 0;
    if (news.size > 0 || isPrivacyNamed) this.live.publish(orgId, ['me'], { to: userId });
    const shown = ['name', 'bio', 'location', 'favoriteActivity'] as const;
    if (isPrivacyNamed || shown.some((key) => news.has(key))) this.live.publish(orgId, ['people']);
    if (news.has('name') || news.has('email')) this.live.publish(orgId, ['members']);
  }
}
