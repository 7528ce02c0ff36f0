import type { Caller } from '@caravan/auth/claims';
import type { Privacy } from '@caravan/contracts/http/people';
import { EventStore, type Unit } from '@caravan/event-store/event-store';
import { Live } from '@caravan/service-kit/live';
import { Inject, Injectable } from '@nestjs/common';
import { Mailing, Managing } from '../doors.ts';
import { emailKeyOf } from '../email-key.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { type AccountChange, changed, type OwnAccount } from './own-account.ts';
import { lockedAccount, takeAddress, writeAccount } from './own-account.query.ts';

type News = ReadonlySet<keyof OwnAccount>;
type PrivacyChange = { [Key in keyof Privacy]?: boolean | undefined };

/** What somebody changes about themselves: rows, what the other services must hear, and a word to the old address. */
@Injectable()
export class OwnAccounts {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Managing) private readonly managing: Managing,
    @Inject(Mailing) private readonly mailing: Mailing,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** Throws `Rejected`; then nothing has changed. */
  async change(
    caller: Caller,
    change: (before: OwnAccount) => AccountChange,
    privacy: PrivacyChange = {},
  ): Promise<void> {
    const { orgId, userId, meta } = caller;
    const news = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const before = await lockedAccount(unit.tx, caller);
      const { after, news } = changed(before, change(before));
      if (news.size > 0) await this.write(unit, userId, { before, after, news });
      if (Object.values(privacy).some((value) => value !== undefined))
        await this.managing.choosePrivacy(unit, userId, privacy);
      return news;
    });
    this.tell(caller, news, privacy);
  }

  private async write(
    unit: Unit,
    userId: string,
    { before, after, news }: { before: OwnAccount; after: OwnAccount; news: News },
  ): Promise<void> {
    const { tx, meta } = unit;
    const person = { orgId: meta.orgId, userId };
    if (emailKeyOf(before.email) !== emailKeyOf(after.email)) {
      await takeAddress(tx, person, after.email);
      const notice = { about: 'address-changed', to: before.email, name: before.name, at: meta.at } as const;
      await this.mailing.send(tx, meta.orgId, notice);
    }
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
