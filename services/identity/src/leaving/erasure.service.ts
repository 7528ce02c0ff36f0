import type { Caller } from '@caravan/auth/claims';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { erasePersonalData } from '@caravan/messaging/consumer/erasure';
import { Env } from '@caravan/service-kit/process/env';
import { Live } from '@caravan/service-kit/live/live';
import { Log } from '@caravan/service-kit/telemetry/log';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { logSecurity } from '@caravan/service-kit/telemetry/security-log';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { recordAct } from '../audit/index.ts';
import type { IdentityEnv } from '../env.ts';
import { revokeAllInvites } from '../invites/index.ts';
import { confirmedAddressOf, MailService } from '../mail/index.ts';
import { dissolveTeams, eraseMember } from '../membership/index.ts';
import { inOrganisationOrder, closeOrganisation } from '../organisations/index.ts';
import { SessionService } from '../sessions/index.ts';
import { lockedPerson, removePerson, storeErasedSessions } from './erasures.store.ts';
import { discardedObjects, discardExportOf, forgetDiscarded } from './exports.store.ts';

/** Under the organisation's lock. */
@Injectable()
export class OrganisationClosing {
  constructor(@Inject(Env) private readonly env: IdentityEnv) {}

  /** Whom it takes along when it closes; undefined when it goes on, as the default one always does. */
  async leftBehind(unit: Unit): Promise<string[] | undefined> {
    const { tx, meta } = unit;
    const { orgId } = meta;
    const { rows } = await tx.query<{ userId: string; isActive: boolean }>(
      'select user_id, is_active from memberships where org_id = $1 order by user_id',
      [orgId],
    );
    if (rows.some(({ isActive }) => isActive)) return undefined;
    if (orgId !== this.env.DEFAULT_ORGANISATION_ID) return rows.map(({ userId }) => userId);
    await revokeAllInvites(unit);
    return undefined;
  }

  /** Undefined when it is closed. Throws with what speaks against closing it. */
  async membersWithoutAdmin({ tx, meta: { orgId } }: Unit): Promise<string[] | undefined> {
    if (orgId === this.env.DEFAULT_ORGANISATION_ID)
      throw new Error('It is the default organisation of this instance, which stays open: appoint an admin');
    const isClosed = 'select closed_at is not null as is_closed from organisations where org_id = $1';
    const [organisation] = (await tx.query<{ isClosed: boolean }>(isClosed, [orgId])).rows;
    if (!organisation) throw new Error('There is no such organisation');
    if (organisation.isClosed) return undefined;
    const { rows } = await tx.query<{ userId: string; isAdmin: boolean }>(
      `select user_id, role = 'admin' and is_active as is_admin from memberships where org_id = $1
        order by user_id`,
      [orgId],
    );
    if (rows.some(({ isAdmin }) => isAdmin)) throw new Error('It has an admin, who looks after it');
    return rows.map(({ userId }) => userId);
  }

  async leave(unit: Unit, userId: string, isClosing: boolean): Promise<void> {
    await eraseMember(unit, userId, isClosing);
  }

  async close(unit: Unit): Promise<void> {
    // Invites let go of their teams before those go.
    await closeOrganisation(unit);
    await dissolveTeams(unit);
  }
}

@Injectable()
export class ErasureService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(MailService) private readonly mails: MailService,
    @Inject(OrganisationClosing) private readonly closing: OrganisationClosing,
  ) {}

  /** All or nothing; with the last active member the organisation closes. Throws `Rejected`. */
  async erase(caller: Caller): Promise<{ hasClosed: boolean }> {
    const { orgId, userId } = caller;
    const hasClosed = await this.store.transaction(inOrganisationOrder(caller.meta), async (unit) => {
      // Before the person's row, as everybody takes them: nobody waits for each other in a circle.
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      await this.erasePerson(unit, userId);
      await recordAct(unit, 'data.account-erased');
      const left = await this.closing.leftBehind(unit);
      if (left === undefined) return false;
      for (const other of left) await this.erasePerson(unit, other, true);
      await this.closing.close(unit);
      await recordAct(unit, 'company.closed');
      return true;
    });
    await this.sessions.endsAnnounced();
    return { hasClosed };
  }

  /** Of an organisation without admin, with whoever is in it. Throws with what speaks against it. */
  async closeForOperator(orgId: string, at: Date): Promise<void> {
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    await this.store.transaction(meta, async (unit) => {
      await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
      const members = await this.closing.membersWithoutAdmin(unit);
      if (members === undefined) return;
      for (const userId of members) await this.erasePerson(unit, userId, true);
      await this.closing.close(unit);
      await recordAct(unit, 'operator.organisation-closed');
    });
    await this.sessions.endsAnnounced();
  }

  private async erasePerson(unit: Unit, userId: string, isClosing = false): Promise<void> {
    const { tx, meta } = unit;
    const { orgId, at } = meta;
    const person = { orgId, userId };
    const leaving = await lockedPerson(tx, person);
    const { name, email } = leaving;
    const to = confirmedAddressOf(leaving);
    await this.closing.leave(unit, userId, isClosing);
    await discardExportOf(tx, person, at);
    const ended = await this.sessions.endAllWithin(tx, person, 'erased', at);
    await storeErasedSessions(tx, ended, at);
    await removePerson(tx, person, email);
    await erasePersonalData(tx, [person]);
    await this.mails.send(tx, orgId, { about: 'account-erased', to, name, at });
  }
}

@Injectable()
export class DiscardedFiles {
  private readonly files: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.files = sweeps.of('identity.discarded-files');
  }

  /** Throws when the object store is away; then the sweep does it. */
  async remove(): Promise<void> {
    await this.files.each(
      await discardedObjects(this.pool, this.files.resting()),
      (key) => key,
      async (key) => {
        await this.objects.remove(key);
        await forgetDiscarded(this.pool, key);
      },
    );
  }
}

@Injectable()
export class ErasureCleanup {
  constructor(
    @Inject(DiscardedFiles) private readonly discarded: DiscardedFiles,
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Never throws: what cannot be removed now is removed by the sweep. */
  async run({ orgId, userId }: Caller, hasClosed: boolean): Promise<void> {
    logSecurity(this.log, 'account-erased', { orgId, userId });
    if (hasClosed) logSecurity(this.log, 'organisation-closed', { orgId });
    this.live.publish(orgId, ['people', 'members', 'teams']);
    await this.discarded
      .remove()
      .catch((error: unknown) => this.log.warn({ err: error }, 'files of an erased account wait for the next sweep'));
  }
}
