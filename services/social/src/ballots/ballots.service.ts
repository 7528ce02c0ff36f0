import type { Caller } from '@caravan/auth/claims';
import type { AuditAct } from '@caravan/contracts/domain/audit';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import type {
  Ballot,
  NameOptions,
  BallotRequest,
  OpenBallotsRequest,
  VoteRequest,
} from '@caravan/contracts/http/ballots';
import { isSameText } from '@caravan/contracts/domain/text/text-key';
import { EventStore, type IdempotentRequest, type Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { Inject, Injectable } from '@nestjs/common';
import { ballotStream } from './ballot-stream.ts';
import { ballotAsManaged, ballotsOf, ballotsOverBefore, nameOptionsFor } from './ballots.query.ts';
import {
  type BallotTeam,
  keepNames,
  lockedBallot,
  type LockedBallot,
  lockedBallotOfTeam,
  lockOrganisation,
  openBallot,
  teamOf,
  teamsWithoutBallot,
} from './ballots.store.ts';
import { ballotActAudited } from './public-events.ts';

/** Ballots as people ask for them; everybody's open pages are told (D20, D35). */
@Injectable()
export class BallotsService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** In the voter's order, so that what they read next has seen it. Throws `Rejected` by the rules. */
  async vote(caller: Caller, { teamId, chosenName }: VoteRequest, request?: IdempotentRequest): Promise<NameOptions> {
    const { orgId, userId, meta } = caller;
    const options = await this.store.transaction(
      meta,
      async (unit) => {
        const { ballotId, names } = await lockedBallotOfTeam(unit, { userId, teamId });
        const optionId = [...names].find(([, name]) => isSameText(name, chosenName))?.[0];
        await unit.handle(ballotStream, ballotId, { type: 'CastVote', userId, optionId }, names);
        return nameOptionsFor(unit.tx, caller, teamId);
      },
      request,
    );
    this.live.publish(orgId, ['ballots']);
    return options;
  }

  async open(
    caller: Caller,
    { teamId, names, endsAt }: BallotRequest & { teamId: string },
    request?: IdempotentRequest,
  ): Promise<Ballot> {
    const [ballot] = await this.openAll(
      caller,
      { names, endsAt },
      async (unit) => [await teamOf(unit, teamId)],
      request,
    );
    if (!ballot) throw new Error('A team that is there has its ballot');
    return ballot;
  }

  /** For every team that has none open. Throws `Rejected` (409) when all have. */
  openForAll(caller: Caller, { endsAt }: OpenBallotsRequest, request?: IdempotentRequest): Promise<Ballot[]> {
    return this.openAll(caller, { endsAt }, teamsWithoutBallot, request);
  }

  /** Throws `Rejected` by the rules; names are all replaced or none. */
  edit(caller: Caller, ballotId: string, { names, endsAt }: BallotRequest): Promise<Ballot> {
    return this.manage(caller, ballotId, 'ballot.edited', async (unit, { teamId, ...locked }) => {
      const options = names && (await keepNames(unit, { ballotId, teamId }, names));
      const end = endsAt === undefined ? undefined : new Date(endsAt);
      const command = { type: 'EditBallot', optionIds: options && [...options.keys()], endsAt: end } as const;
      return unit.handle(ballotStream, ballotId, command, options ?? locked.names);
    });
  }

  /** Ballots whose time was over before are ended first: of two teams that choose one name the earlier gets it. */
  close(caller: Caller, ballotId: string): Promise<Ballot> {
    return this.manage(caller, ballotId, 'ballot.closed', async (unit, { names }) => {
      for (const earlier of await ballotsOverBefore(unit.tx, { orgId: caller.orgId, ballotId, at: caller.at })) {
        const { names: theirs } = await lockedBallot(unit, earlier);
        await unit.handle(ballotStream, earlier, { type: 'EndBallot', isByAdmin: false }, theirs);
      }
      return unit.handle(ballotStream, ballotId, { type: 'EndBallot', isByAdmin: true }, names);
    });
  }

  private async openAll(
    caller: Caller,
    { names, endsAt }: BallotRequest,
    teamsOf: (unit: Unit) => Promise<BallotTeam[]>,
    request: IdempotentRequest | undefined,
  ): Promise<Ballot[]> {
    const wish = { reason: 'admin', names, endsAt: endsAt === undefined ? undefined : new Date(endsAt) } as const;
    const opened = await this.store.transaction(
      inOrganisationOrder(caller),
      async (unit) => {
        await lockOrganisation(unit);
        const teams = await teamsOf(unit);
        if (teams.length === 0) throw new Rejected('ballot/already-open', 'conflict', 'Every team has an open ballot');
        const ids: string[] = [];
        for (const team of teams) {
          ids.push(await openBallot(unit, team, wish));
          await this.audit(unit, caller, 'ballot.opened', team.name);
        }
        return ballotsForAdmins(unit, ids);
      },
      request,
    );
    this.live.publish(caller.orgId, ['ballots']);
    return opened;
  }

  /** The ballot's row stays locked until what is done with it is committed. */
  private async manage(
    caller: Caller,
    ballotId: string,
    act: AuditAct,
    work: (unit: Unit, ballot: LockedBallot) => Promise<{ events: readonly unknown[] }>,
  ): Promise<Ballot> {
    const ballot = await this.store.transaction(inOrganisationOrder(caller), async (unit) => {
      await lockOrganisation(unit);
      const locked = await lockedBallot(unit, ballotId);
      const { events } = await work(unit, locked);
      if (events.length > 0) await this.audit(unit, caller, act, locked.teamName);
      return (await ballotsForAdmins(unit, [ballotId]))[0];
    });
    if (!ballot) throw new Error('A ballot that is locked is there');
    this.live.publish(caller.orgId, ['ballots']);
    return ballot;
  }

  private async audit({ tx }: Unit, { meta }: Caller, act: AuditAct, text: string): Promise<void> {
    await this.store.within(tx, meta).publish(ballotActAudited(act, text));
  }
}

const inOrganisationOrder = ({ meta, orgId }: Caller) => ({ ...meta, key: organisationKey(orgId) });

async function ballotsForAdmins({ tx, meta }: Unit, ids: readonly string[]): Promise<Ballot[]> {
  const rows = await ballotsOf(tx, meta.orgId, ids);
  return ids.flatMap((id) => rows.filter((row) => row.id === id)).map((row) => ballotAsManaged(row, meta.at));
}
