import { organisationKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { ballotDecided } from '@caravan/contracts/events/social.events';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { Unit } from '@caravan/event-store/core/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { recordAct } from '../audit/index.ts';
import { isTaken } from './admin.service.ts';
import { teams } from './membership.store.ts';
import type { TeamNaming } from './public-events.ts';
import { renameTeam } from './teams.store.ts';

type Decided = Consumed<typeof ballotDecided>;

/** A team is called what its members voted for; no admin has to be asked (D20). */
@Controller()
export class RenameTeamsConsumer {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** In the organisation's order, as admins rename teams: of two that want a name one gets it, the other the next best. */
  @Consumes({
    group: 'identity.rename-teams',
    from: 'social',
    contract: ballotDecided,
    locksKeys: true,
    isAwaited: false,
  })
  async nameTeamWhenBallotDecided(decided: Decided, batch: BatchContext): Promise<void> {
    const { orgId, data } = decided;
    const meta = { orgId, actorId: null, at: new Date(data.decidedAt), key: organisationKey(orgId) };
    const unit = this.store.within(batch.tx, { ...meta, causes: positionsOf(decided) });
    const isRenamed = await nameTeam(unit, data);
    // A team's name stands beside its members everywhere.
    if (isRenamed) batch.afterCommit(() => this.live.publish(orgId, ['teams', 'members', 'people', 'me']));
  }
}

async function nameTeam(unit: Unit, { teamId, ballotId, names }: Decided['data']): Promise<boolean> {
  const before = await namingOf(unit, teamId);
  if (!before) return false;
  const place = await firstFree(unit, teamId, names);
  const naming = { ...before, name: place === null ? before.name : (names[place] ?? before.name) };
  const isRenamed = naming.name !== before.name;
  const command = { type: 'NameByBallot', teamId, ballotId, place, isRenamed } as const;
  const { events } = await unit.handle(teams, teamId, command, naming);
  if (events.every(({ type }) => type !== 'TeamRenamed')) return false;
  await renameTeam(unit, teamId, naming.name);
  await recordAct(unit, 'team.renamed', { subjectId: teamId });
  return true;
}

async function firstFree(unit: Unit, teamId: string, names: readonly string[]): Promise<number | null> {
  for (const [place, name] of names.entries()) if (!(await isTaken(unit, name, teamId))) return place;
  return null;
}

async function namingOf({ tx, meta }: Unit, teamId: string): Promise<TeamNaming | undefined> {
  const { rows } = await tx.query<TeamNaming>('select name, emoji from teams where org_id = $1 and team_id = $2', [
    meta.orgId,
    teamId,
  ]);
  return rows[0];
}
