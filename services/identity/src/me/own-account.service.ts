import type { Caller } from '@caravan/auth/claims';
import { emailKeyOf, isSameAddress } from '@caravan/contracts/domain/text/email-address';
import type { Privacy, SettingsRequest } from '@caravan/contracts/http/people';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import { AddressService, addressTaken, isAddressTaken } from '../addresses/index.ts';
import { Attempts, OwnPassword } from '../credentials/index.ts';
import { choosePrivacy, editProfile } from '../membership/index.ts';
import { inOrganisationOrder } from '../organisations/index.ts';
import { lockedAccount, ownSettings, writeAccount } from './own-account.store.ts';
import { applyChange } from './own-account.ts';
import type { AccountChange, OwnAccount } from './own-account.ts';

type ChangedFields = ReadonlySet<keyof OwnAccount>;
type PrivacyChange = { [Key in keyof Privacy]?: boolean | undefined };

type Beside = {
  readonly privacy?: PrivacyChange | undefined;
  readonly wanted?: string | undefined;
  /** The version of the settings that the caller has seen. */
  readonly seen?: string | undefined;
};

@Injectable()
export class OwnAccounts {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(AddressService) private readonly addresses: AddressService,
    @Inject(Live) private readonly live: Live,
  ) {}

  async change(
    caller: Caller,
    change: (before: OwnAccount) => AccountChange,
    { privacy = {}, wanted, seen }: Beside = {},
  ): Promise<void> {
    const { orgId, userId, meta } = caller;
    const changedFields = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const before = await lockedAccount(unit.tx, caller, seen);
      const { after, changedFields } = applyChange(before, change(before));
      if (changedFields.size > 0) await this.write(unit, userId, { after, changedFields });
      if (Object.values(privacy).some((value) => value !== undefined)) await choosePrivacy(unit, userId, privacy);
      if (wanted !== undefined) await this.addresses.want(unit.tx, caller, wanted, meta.at);
      return changedFields;
    });
    this.tell(caller, changedFields, privacy);
    if (wanted !== undefined) this.live.publish(orgId, ['me'], { to: userId });
  }

  private async write(
    unit: Unit,
    userId: string,
    { after, changedFields }: { after: OwnAccount; changedFields: ChangedFields },
  ): Promise<void> {
    const { tx, meta } = unit;
    const person = { orgId: meta.orgId, userId };
    await writeAccount(tx, person, after);
    if (changedFields.has('name') || changedFields.has('timeZone')) await editProfile(unit, userId);
  }

  private tell({ orgId, userId }: Caller, changedFields: ChangedFields, privacy: PrivacyChange): void {
    const isPrivacyNamed = Object.keys(privacy).length > 0;
    if (changedFields.size > 0 || isPrivacyNamed) this.live.publish(orgId, ['me'], { to: userId });
    const shown = ['name', 'bio', 'location', 'favoriteActivity'] as const;
    if (isPrivacyNamed || shown.some((key) => changedFields.has(key))) this.live.publish(orgId, ['people']);
    if (changedFields.has('name') || changedFields.has('email')) this.live.publish(orgId, ['members']);
  }
}

@Injectable()
export class WantedAddresses {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(OwnPassword) private readonly ownPassword: OwnPassword,
  ) {}

  /** Runs `change` with the address that a request wants; undefined for the own one. Throws `Rejected`. */
  async changing<Result>(
    request: SettingsRequest,
    caller: Caller,
    ip: string,
    change: (wanted: string | undefined) => Promise<Result>,
  ): Promise<Result> {
    const email = request.profile?.email;
    if (email === undefined) return change(undefined);
    const { profile } = await ownSettings(this.pool, caller);
    if (isSameAddress(profile.email, email)) return change(undefined);
    return this.attempts.move(caller.userId, ip, async () => {
      await this.assertMayHave(email, request, caller, ip);
      return change(email);
    });
  }

  /** 422 without the password, which whoever found an open session does not know. */
  private async assertMayHave(email: string, request: SettingsRequest, caller: Caller, ip: string): Promise<void> {
    const password = request.currentPassword ?? request.profile?.currentPassword;
    if (password === undefined) throw passwordNeeded();
    await this.ownPassword.assertIs(caller, password, { address: ip, field: 'currentPassword' });
    const key = emailKeyOf(email);
    if (await this.attempts.probe(ip, key, () => isAddressTaken(this.pool, key, caller.userId))) throw addressTaken();
  }
}

function passwordNeeded(): Invalid {
  const message = 'Please enter your current password to change your email address.';
  return new Invalid([{ path: 'currentPassword', message }], 'settings/password-needed');
}
