import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { AuditAct } from '@caravan/contracts/domain/audit';
import type { Role } from '@caravan/contracts/events/fields';
import type { ChangeMemberRequest, ManagedMember } from '@caravan/contracts/http/organisations';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { Log } from '@caravan/service-kit/telemetry/log';
import { logSecurity } from '@caravan/service-kit/telemetry/security-log';
import { Inject, Injectable } from '@nestjs/common';
import { recordAct } from '../audit/index.ts';
import { inOrganisationOrder } from '../organisations/index.ts';
import { SessionService } from '../sessions/index.ts';
import type { EndReason } from '../sessions/index.ts';
import { memberOf } from './members.query.ts';
import {
  activeBeside,
  detailsOf,
  endHold,
  lockOrganisation,
  memberships,
  openTeams,
  teams,
} from './membership.store.ts';
import type { MembershipEvent } from './membership.ts';
import type { TeamNaming } from './public-events.ts';
import type { TeamEvent } from './team.ts';
import { changeTeamRow, storeTeam } from './teams.store.ts';

export type TeamWish = {
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
  readonly retired?: boolean | undefined;
};

export type MemberWish = {
  readonly role?: Role | undefined;
  readonly teamId?: string | undefined;
  readonly isActive?: boolean | undefined;
};

export type MemberChange = {
  readonly events: readonly string[];
  readonly endsSessions: EndReason | null;
};

/** Answers the new team's id. Throws `Rejected` for a name that an open team has. */
export async function formTeam(unit: Unit, naming: TeamNaming): Promise<string> {
  await lockForAdmin(unit);
  const teamId = randomUUIDv7();
  const isNameTaken = await isTaken(unit, naming.name, null);
  await unit.create(teams, teamId, { type: 'FormTeam', teamId, isNameTaken }, naming);
  await storeTeam(unit, teamId, naming);
  await recordAct(unit, 'team.formed', { subjectId: teamId });
  return teamId;
}

/** Throws `Rejected` for an unknown team, a taken name, and when it cannot be retired. */
export async function changeTeam(unit: Unit, teamId: string, wish: TeamWish): Promise<void> {
  await lockForAdmin(unit);
  const before = await teamRow(unit, teamId);
  const { activeMembers, otherOpenTeams } = before;
  const naming = { name: wish.name ?? before.name, emoji: wish.emoji ?? before.emoji };
  const isRenamed = naming.name !== before.name || naming.emoji !== before.emoji;
  const isNameTaken = await isTaken(unit, naming.name, teamId);
  const figures = { isNameTaken, activeMembers, otherOpenTeams };
  const command = { type: 'ChangeTeam', teamId, isRenamed, isRetired: wish.retired, ...figures } as const;
  const { state, events } = await unit.handle(teams, teamId, command, naming);
  for (const { type } of events) await recordAct(unit, actsOfTeams[type], { subjectId: teamId });
  await changeTeamRow(unit, teamId, { ...naming, isRetired: state.is === 'retired' });
}

/** Throws `Rejected` for an unknown member or team, a retired team, and the last admin. */
export async function changeMember(unit: Unit, userId: string, wish: MemberWish): Promise<MemberChange> {
  await lockForAdmin(unit);
  const details = await detailsOf(unit, userId, 'for no key update');
  if (wish.teamId !== undefined) await teamRow(unit, wish.teamId);
  const { role, teamId, isActive } = wish;
  const { otherActiveAdmins } = await activeBeside(unit, userId);
  const now = { openTeams: await openTeams(unit), otherActiveAdmins };
  const command = { type: 'ManageMember', userId, role, teamId, isActive, ...now } as const;
  const { events } = await unit.handle(memberships, userId, command, details);
  await recordChanges(unit, events);
  const types = new Set<string>(events.map(({ type }) => type));
  const hasNewRole = types.has('AdminAppointed') || types.has('AdminDismissed');
  const isTurnedAway = isActive !== undefined && (await endHold(unit, userId)) && !isActive;
  if (isTurnedAway) {
    await recordAct(unit, 'member.deactivated', { subjectId: userId });
    types.add('MemberDeactivated');
  }
  const reason = hasNewRole ? 'role-changed' : null;
  const endsSessions = types.has('MemberDeactivated') ? 'deactivated' : reason;
  return { events: [...types], endsSessions };
}
const actsOfTeams = {
  TeamFormed: 'team.formed',
  TeamRenamed: 'team.renamed',
  TeamRetired: 'team.retired',
  TeamReopened: 'team.reopened',
  TeamDissolved: 'company.closed',
  TeamNamedByBallot: 'team.renamed',
} as const satisfies Record<TeamEvent['type'], AuditAct>;

const actsOfMembers = {
  AdminAppointed: 'member.appointed',
  AdminDismissed: 'member.dismissed',
  MemberDeactivated: 'member.deactivated',
  MemberReactivated: 'member.reactivated',
} as const;

async function recordChanges(unit: Unit, events: readonly MembershipEvent[]): Promise<void> {
  for (const { type, data } of events)
    switch (type) {
      case 'AdminAppointed':
      case 'AdminDismissed':
      case 'MemberDeactivated':
      case 'MemberReactivated':
        await recordAct(unit, actsOfMembers[type], { subjectId: data.userId });
        break;
      case 'MemberMoved': {
        const { userId: subjectId, fromTeamId, teamId } = data;
        await recordAct(unit, 'member.moved', { subjectId, fromTeamId, teamId });
        break;
      }
      case 'MemberJoined':
      case 'ProfileEdited':
      case 'PrivacyChosen':
      case 'MemberErased':
    }
}

/** Somebody may have dismissed them a moment ago (D3). */
async function lockForAdmin(unit: Unit): Promise<void> {
  await lockOrganisation(unit);
  const { orgId, actorId } = unit.meta;
  const { rowCount } = await unit.tx.query(
    "select from memberships where org_id = $1 and user_id = $2 and role = 'admin' and is_active",
    [orgId, actorId],
  );
  if (rowCount === 0)
    throw new Rejected('auth/not-an-admin', 'forbidden', 'Only admins of your organisation can do this.');
}

type TeamRow = TeamNaming & { readonly activeMembers: number; readonly otherOpenTeams: number };

/** What is no team of this organisation does not exist (D4). */
async function teamRow({ tx, meta }: Unit, teamId: string): Promise<TeamRow> {
  const { rows } = await tx.query<TeamRow>(
    `select t.name, t.emoji, r.active_members,
        (select count(*) from teams o where o.org_id = t.org_id and o.team_id <> t.team_id and o.retired_at is null)
          as other_open_teams
      from teams t join team_rosters r on (r.org_id, r.team_id) = (t.org_id, t.team_id)
      where t.org_id = $1 and t.team_id::text = $2`,
    [meta.orgId, teamId],
  );
  const [row] = rows;
  if (!row) throw new Rejected('team/not-found', 'not-found', 'This team does not exist');
  return row;
}

/** Whether another open team is called so. */
export async function isTaken({ tx, meta }: Unit, name: string, exceptTeamId: string | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from teams where org_id = $1 and retired_at is null and name_key = text_key($2)
      and ($3::uuid is null or team_id <> $3)`,
    [meta.orgId, name, exceptTeamId],
  );
  return rowCount !== 0;
}

@Injectable()
export class MemberNotifier {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

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

/** Stands or falls together, the end of their sessions included. */
@Injectable()
export class MemberAdmin {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(MemberNotifier) private readonly notifier: MemberNotifier,
  ) {}

  async change({ orgId, meta }: Caller, userId: string, wish: ChangeMemberRequest): Promise<ManagedMember> {
    const { member, events } = await this.store.transaction(inOrganisationOrder(meta), async (unit) => {
      const { events, endsSessions } = await changeMember(unit, userId, wish);
      if (endsSessions) await this.sessions.endAllWithin(unit.tx, { orgId, userId }, endsSessions, meta.at);
      return { member: await memberOf(unit.tx, orgId, userId), events };
    });
    await this.sessions.endsAnnounced();
    this.notifier.tell({ orgId, actorId: meta.actorId ?? undefined, userId }, events);
    return member;
  }
}
