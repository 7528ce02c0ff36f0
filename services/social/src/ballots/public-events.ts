import type { AuditAct } from '@caravan/contracts/domain/audit';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/social.events';
import { formerTeamName } from '@caravan/contracts/domain/unnamed';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import { auditedAct } from '@caravan/service-kit/telemetry/audited';
import type { BallotEvent } from './ballot.ts';

/** The names of options by their ids. They are rows; the log never holds them. */
export type OptionNames = ReadonlyMap<string, string>;

export const ballotPublicEvents: PublicEvents<BallotEvent, OptionNames> = {
  BallotOpened: ({ data }): PublicEventOf<typeof facts.ballotOpened> => {
    const { ballotId, teamId, openedAt, endsAt } = data;
    return { type: 'BallotOpened', version: 1, data: { ballotId, teamId, openedAt, endsAt } };
  },
  NamesReplaced: 'private',
  BallotRescheduled: ({ data }): PublicEventOf<typeof facts.ballotRescheduled> => ({
    type: 'BallotRescheduled',
    version: 1,
    data,
  }),
  // For what is nobody's business.
  VoteCast: ({ data: { ballotId, teamId, userId, votedAt } }): PublicEventOf<typeof facts.voteCast> => ({
    type: 'VoteCast',
    version: 1,
    data: { ballotId, teamId, userId, votedAt },
  }),
  BallotDecided: ({ data: { ranking, ...data } }, names): PublicEventOf<typeof facts.ballotDecided> => ({
    type: 'BallotDecided',
    version: 1,
    data: { ...data, names: ranking.map((optionId) => names.get(optionId) ?? formerTeamName) },
  }),
};

export const ballotActAudited = (act: AuditAct, teamName: string) => auditedAct(act, { text: teamName });
