import type { Caller } from '@caravan/auth/claims';
import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore, type Tx, type Unit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { erasePersonalData } from '@caravan/messaging/erasure';
import { Inject, Injectable } from '@nestjs/common';
import { confirmedAddressOf } from '../confirmed-address.ts';
import { Mailing, Sessions } from '../ports.ts';
import { emailKeyOf } from '../email-key.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { recordAct } from '../record-act.query.ts';
import { Closing } from './closing.client.ts';
import { discardExportOf } from './exports.query.ts';

type Person = { readonly orgId: string; readonly userId: string };

@Injectable()
export class Erasing {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Mailing) private readonly mailing: Mailing,
    @Inject(Closing) private readonly closing: Closing,
  ) {}

  /**
   * The account and everything personal in it goes, or nothing does. With the last active member the organisation closes.
   * Throws `Rejected`.
   */
  async erase(caller: Caller): Promise<{ hasClosed: boolean }> {
    const { orgId, userId } = caller;
    const { ended, hasClosed } = await this.store.transaction(inOrganisationOrder(caller.meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const ended = await this.erasePerson(unit, userId);
      await recordAct(unit, 'data.account-erased');
      const left = await this.closing.leftBehind(unit);
      if (left === undefined) return { ended, hasClosed: false };
      for (const other of left) ended.push(...(await this.erasePerson(unit, other, true)));
      await this.closing.close(unit);
      await recordAct(unit, 'company.closed');
      return { ended, hasClosed: true };
    });
    await this.sessions.announceEnds(ended);
    return { hasClosed };
  }

  /** Closes an organisation that has no admin, with whoever is in it. Throws with what speaks against it. */
  async closeForOperator(orgId: string, at: Date): Promise<void> {
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    const ended = await this.store.transaction(meta, async (unit) => {
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const members = await this.closing.membersWithoutAdmin(unit);
      const ended: string[] = [];
      if (members === undefined) return ended;
      for (const userId of members) ended.push(...(await this.erasePerson(unit, userId, true)));
      await this.closing.close(unit);
      await recordAct(unit, 'operator.organisation-closed');
      return ended;
    });
    await this.sessions.announceEnds(ended);
  }

  /** Answers the sessions that ended. */
  private async erasePerson(unit: Unit, userId: string, isClosing = false): Promise<string[]> {
    const { tx, meta } = unit;
    const { orgId, at } = meta;
    const person = { orgId, userId };
    const leaving = await lockedPerson(tx, person);
    const { name, email } = leaving;
    const to = confirmedAddressOf(leaving);
    await this.closing.leave(unit, userId, isClosing);
    await discardExportOf(tx, person, at);
    const ended = await this.sessions.endAllWithin(tx, person, 'erased', at);
    await rememberErased(tx, ended, at);
    await deletePerson(tx, person, email);
    await erasePersonalData(tx, [person]);
    await this.mailing.send(tx, orgId, { about: 'account-erased', to, name, at });
    return [...ended];
  }
}

type Leaving = { readonly name: string; readonly email: string; readonly emailConfirmedAt: Date | null };

async function lockedPerson(tx: Tx, { orgId, userId }: Person): Promise<Leaving> {
  const { rows } = await tx.query<Leaving>(
    `select name, email, email_confirmed_at as "emailConfirmedAt" from persons
      where org_id = $1 and user_id = $2 for update`,
    [orgId, userId],
  );
  const [person] = rows;
  if (!person) throw new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
  return person;
}

async function rememberErased(tx: Tx, sessionIds: readonly string[], at: Date): Promise<void> {
  await tx.query('insert into erased_sessions (session_id, erased_at) select unnest($1::uuid[]), $2', [sessionIds, at]);
}

/** Credentials, sessions, links, follows and exports go with the person. */
async function deletePerson(tx: Tx, { orgId, userId }: Person, email: string): Promise<void> {
  await tx.query('delete from persons where org_id = $1 and user_id = $2', [orgId, userId]);
  await tx.query('delete from mails where org_id = $1 and recipient = $2', [orgId, email]);
  await tx.query('delete from reset_requests where lower(email) = $1', [emailKeyOf(email)]);
}
