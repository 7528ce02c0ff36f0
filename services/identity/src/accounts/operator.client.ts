import { organisationKey } from '@caravan/contracts/fact-key';
import { EventStore } from '@caravan/event-store/event-store';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { credentialOf } from '../across-organisations.query.ts';
import { Belonging, Sessions } from '../ports.ts';
import { emailKeyOf } from '../email-key.ts';
import { recordAct } from '../record-act.query.ts';

/** What only whoever runs the instance may do, from its command line. */
@Injectable()
export class Operator {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Belonging) private readonly belonging: Belonging,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /** Makes a member the admin of their organisation; they sign in again. False when nobody has this address. */
  async appointAdmin(email: string, at: Date): Promise<boolean> {
    const person = await credentialOf(this.pool, emailKeyOf(email));
    if (!person) return false;
    const { orgId, userId, role } = person;
    if (role === 'admin' && person.mayEnter) return true;
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    await this.store.transaction(meta, async (unit) => {
      await this.belonging.appointAdmin(unit, userId);
      await recordAct(unit, 'operator.admin-appointed', { subjectId: userId });
    });
    await this.sessions.endAllOf(person, 'role-changed', at);
    return true;
  }
}
