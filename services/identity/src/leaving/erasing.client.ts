import type { Caller } from '@caravan/auth/claims';
import { EventStore, type Tx } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { Inject, Injectable } from '@nestjs/common';
import { Belonging, Mailing, Sessions } from '../doors.ts';
import { emailKeyOf } from '../email-key.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { recordAct } from '../record-act.query.ts';
import { discardExportOf } from './exports.query.ts';

@Injectable()
export class Erasing {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Belonging) private readonly belonging: Belonging,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Mailing) private readonly mailing: Mailing,
  ) {}

  /** The account and everything personal in it goes, or nothing does. Throws `Rejected`. */
  async erase(caller: Caller): Promise<void> {
    const { orgId, userId, at } = caller;
    const ended = await this.store.transaction(inOrganisationOrder(caller.meta), async (unit) => {
      const { tx } = unit;
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await tx.query('select es.lock_keys(array[$1])', [orgId]);
      const { name, email } = await lockedPerson(tx, caller);
      await this.belonging.erase(unit, userId);
      await recordAct(unit, 'data.account-erased');
      await discardExportOf(tx, caller, at);
      const ended = await this.sessions.endAllWithin(tx, caller, 'erased', at);
      await rememberErased(tx, ended, at);
      await deletePerson(tx, caller, email);
      await this.mailing.send(tx, orgId, { about: 'account-erased', to: email, name, at });
      return ended;
    });
    await this.sessions.announceEnds(ended);
  }
}

async function lockedPerson(tx: Tx, { orgId, userId }: Caller): Promise<{ name: string; email: string }> {
  const { rows } = await tx.query<{ name: string; email: string }>(
    'select name, email from persons where org_id = $1 and user_id = $2 for update',
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
async function deletePerson(tx: Tx, { orgId, userId }: Caller, email: string): Promise<void> {
  await tx.query('delete from persons where org_id = $1 and user_id = $2', [orgId, userId]);
  await tx.query('delete from mails where org_id = $1 and recipient = $2', [orgId, email]);
  await tx.query('delete from reset_requests where lower(email) = $1', [emailKeyOf(email)]);
}
