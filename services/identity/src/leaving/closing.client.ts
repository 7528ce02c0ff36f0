import type { Unit } from '@caravan/event-store/event-store';
import { Env } from '@caravan/service-kit/env';
import { Inject, Injectable } from '@nestjs/common';
import { Belonging, Founding } from '../ports.ts';
import type { IdentityEnv } from '../env.ts';

/** When an organisation closes, and what that is. All of it under the organisation's lock. */
@Injectable()
export class Closing {
  constructor(
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(Belonging) private readonly belonging: Belonging,
    @Inject(Founding) private readonly founding: Founding,
  ) {}

  /**
   * Those who would be alone in an organisation that has to close, all of them deactivated: nobody could ever let them in
   * again, so they go with it. Undefined when it goes on, as the default organisation always does: without people its
   * invites are void, and whoever signs up next joins it.
   */
  async leftBehind({ tx, meta: { orgId, at } }: Unit): Promise<string[] | undefined> {
    const { rows } = await tx.query<{ userId: string; isActive: boolean }>(
      'select user_id as "userId", is_active as "isActive" from memberships where org_id = $1 order by user_id',
      [orgId],
    );
    if (rows.some(({ isActive }) => isActive)) return undefined;
    if (orgId !== this.env.DEFAULT_ORGANISATION_ID) return rows.map(({ userId }) => userId);
    await tx.query('update invites set revoked_at = $2 where org_id = $1 and revoked_at is null', [orgId, at]);
    return undefined;
  }

  /** Everybody in an organisation that an operator may close; undefined when it is closed. Throws with what speaks against it. */
  async membersWithoutAdmin({ tx, meta: { orgId } }: Unit): Promise<string[] | undefined> {
    if (orgId === this.env.DEFAULT_ORGANISATION_ID)
      throw new Error('It is the default organisation of this instance, which stays open: appoint an admin');
    const isClosed = 'select closed_at is not null as "isClosed" from organisations where org_id = $1';
    const [organisation] = (await tx.query<{ isClosed: boolean }>(isClosed, [orgId])).rows;
    if (!organisation) throw new Error('There is no such organisation');
    if (organisation.isClosed) return undefined;
    const { rows } = await tx.query<{ userId: string; isAdmin: boolean }>(
      `select user_id as "userId", role = 'admin' and is_active as "isAdmin" from memberships where org_id = $1
        order by user_id`,
      [orgId],
    );
    if (rows.some(({ isAdmin }) => isAdmin)) throw new Error('It has an admin, who looks after it');
    return rows.map(({ userId }) => userId);
  }

  /** One of its members goes, or all of them where it closes. */
  async leave(unit: Unit, userId: string, isClosing: boolean): Promise<void> {
    await this.belonging.erase(unit, userId, isClosing);
  }

  /** Once nobody is in it. */
  async close(unit: Unit): Promise<void> {
    // Invites let go of their teams before those go.
    await this.founding.close(unit);
    await this.belonging.dissolveTeams(unit);
  }
}
