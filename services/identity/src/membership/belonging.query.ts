import { randomUUIDv7 } from 'node:crypto';
import { localDateOf } from '@caravan/contracts/local-days';
import type { StreamKind, Unit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { Belonging, NewMember, TeamRef } from '../doors.ts';
import {
  membership,
  type Membership,
  type MembershipCommand,
  type MembershipEvent,
  type TeamStrength,
} from './membership.ts';
import { membershipProjection } from './membership.projection.ts';
import { type MemberDetails, membershipPublicEvents, type TeamNaming, teamPublicEvents } from './public-events.ts';
import { firstTeams, type FormTeam, team, type Team, type TeamEvent } from './team.ts';

/** The streams of teams, for their rules and for rebuilds. */
export const teams: StreamKind<Team, FormTeam, TeamEvent, TeamNaming> = {
  decider: team,
  projections: [membershipProjection],
  publicEvents: teamPublicEvents,
};

/** The streams of memberships, for their rules and for rebuilds. */
export const memberships: StreamKind<Membership, MembershipCommand, MembershipEvent, MemberDetails> = {
  decider: membership,
  projections: [membershipProjection],
  publicEvents: membershipPublicEvents,
};

export const belonging: Belonging = {
  async formFirstTeams(unit: Unit): Promise<void> {
    const { orgId, at } = unit.meta;
    // Formed at one instant: the order of their ids says which is the older.
    const teamIds = firstTeams.map(() => randomUUIDv7()).toSorted();
    for (const [nth, teamId] of teamIds.entries()) {
      const naming = firstTeams[nth] ?? { name: '', emoji: '' };
      await unit.tx.query('insert into teams (org_id, team_id, name, emoji, formed_at) values ($1, $2, $3, $4, $5)', [
        ...[orgId, teamId, naming.name, naming.emoji, at],
      ]);
      await unit.handle(teams, teamId, { type: 'FormTeam', teamId }, naming, { fresh: true });
    }
  },

  async join(unit: Unit, { userId, name, timeZone, role, teamId }: NewMember): Promise<TeamRef> {
    const { orgId, at } = unit.meta;
    // Whoever joins after us sees us counted: the smallest team is chosen by one at a time.
    await unit.tx.query('select es.lock_keys(array[$1])', [orgId]);
    const { rows } = await unit.tx.query<TeamStrength & { name: string; emoji: string }>(
      `select t.team_id as "teamId", t.name, t.emoji, r.active_members as "activeMembers", r.formed_at as "formedAt"
        from team_rosters r join teams t on (t.org_id, t.team_id) = (r.org_id, r.team_id) where r.org_id = $1`,
      [orgId],
    );
    const joinedOn = localDateOf(at, timeZone);
    const command = { type: 'JoinOrganisation', userId, role, joinedOn, teams: rows, teamId } as const;
    const { state } = await unit.handle(memberships, userId, command, { name, timeZone }, { fresh: true });
    const joined = rows.find((row) => state.is === 'member' && row.teamId === state.teamId);
    if (!joined) throw new Error('A member joined a team that the organisation does not have');
    return { id: joined.teamId, name: joined.name, emoji: joined.emoji };
  },

  async appointAdmin(unit: Unit, userId: string): Promise<void> {
    const { rows } = await unit.tx.query<MemberDetails>(
      'select name, time_zone as "timeZone" from persons where org_id = $1 and user_id = $2',
      [unit.meta.orgId, userId],
    );
    const [details] = rows;
    if (!details) throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
    await unit.handle(memberships, userId, { type: 'AppointAdmin', userId }, details);
  },
};
