import type { Caller } from '@caravan/auth/claims';
import type { ChangeMemberRequest, ManagedMember } from '@caravan/contracts/http/organisations';
import { EventStore } from '@caravan/event-store/event-store';
import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { logSecurity } from '@caravan/service-kit/security-log';
import { Inject, Injectable } from '@nestjs/common';
import { Managing, Sessions } from '../ports.ts';
import { inOrganisationOrder } from '../organisation-order.ts';
import { memberOf } from './members.query.ts';

/** Tells open pages and operators what became of a member. */
@Injectable()
export class MemberNews {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** `events`: the types of what was recorded. */
  tell(facts: { orgId: string; actorId: string | undefined; userId: string }, events: readonly string[]): void {
    for (const event of events) {
      if (event === 'AdminAppointed') logSecurity(this.log, 'role-changed', { ...facts, role: 'admin' });
      if (event === 'AdminDismissed') logSecurity(this.log, 'role-changed', { ...facts, role: 'member' });
      if (event === 'MemberDeactivated') logSecurity(this.log, 'member-deactivated', facts);
      if (event === 'MemberReactivated') logSecurity(this.log, 'member-reactivated', facts);
    }
    if (events.length === 0) return;
    this.live.publish(facts.orgId, ['members', 'teams', 'people']);
    this.live.publish(facts.orgId, ['me'], { to: facts.userId });
  }
}

/** What an admin changes about a member stands or falls together, the end of their sessions included. */
@Injectable()
export class MemberChanges {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Managing) private readonly managing: Managing,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(MemberNews) private readonly news: MemberNews,
  ) {}

  /** Throws `Rejected`; then nothing has changed. */
  async change({ orgId, meta }: Caller, userId: string, wish: ChangeMemberRequest): Promise<ManagedMember> {
    const { member, events, ended } = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      const { events, endsSessions } = await this.managing.changeMember(unit, userId, wish);
      const ended = endsSessions
        ? await this.sessions.endAllWithin(unit.tx, { orgId, userId }, endsSessions, meta.at)
        : [];
      return { member: await memberOf(unit.tx, orgId, userId), events, ended };
    });
    await this.sessions.announceEnds(ended);
    this.news.tell({ orgId, actorId: meta.actorId ?? undefined, userId }, events);
    return member;
  }
}
