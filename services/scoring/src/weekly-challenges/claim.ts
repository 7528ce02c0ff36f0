import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { Decider } from '@caravan/event-store/core/decider';
import type { MilesCredited } from '../ledger/index.ts';

export type ClaimBonus = {
  type: 'ClaimBonus';
  entryId: string;
  challengeId: string;
  userId: string;
  teamId: string;
  centimiles: number;
  weekStartsOn: string;
  claimedOn: string;
  isReached: boolean;
  /** In the organisation, and for a team's challenge in the team, before the week was over. */
  wasThere: boolean;
  /** It is reached by what only the member may see (D21). */
  isOwnerOnly: boolean;
};

export type WithdrawBonus = { type: 'WithdrawBonus'; entryId: string; isReached: boolean };

export type Claim = { is: 'open' } | { is: 'claimed'; entry: MilesCredited['data'] };

/** Claimed once, and again only after it was withdrawn. */
export const claim: Decider<Claim, ClaimBonus | WithdrawBonus, MilesCredited> = {
  category: 'weekly-claim',
  initial: { is: 'open' },

  decide(command, state, { at }) {
    if (command.type === 'WithdrawBonus') {
      if (state.is === 'open' || command.isReached) return [];
      const { entryId } = command;
      const { centimiles } = state.entry;
      return [
        creditEvent({
          ...state.entry,
          entryId,
          kind: 'weekly-bonus-withdrawn',
          centimiles: 0 - centimiles,
          creditedAt: at.toISOString(),
        }),
      ];
    }
    if (state.is === 'claimed' || !command.isReached || !command.wasThere || isOver(command)) return [];
    return [creditEvent(entryOf(command, at))];
  },

  evolve(_state, { data }) {
    return data.kind === 'weekly-bonus' ? { is: 'claimed', entry: data } : { is: 'open' };
  },
};

/** Seven days after the week's end: that long its logs may be typed in (D6). */
const daysToClaim = 14;

const isOver = ({ claimedOn, weekStartsOn }: ClaimBonus): boolean => claimedOn >= addDays(weekStartsOn, daysToClaim);

/** A member who is not known yet is not too late. */
export function wasThere(
  { challengeType, weekStartsOn }: { readonly challengeType: 'individual' | 'team'; readonly weekStartsOn: string },
  since: { readonly joinedOn: string | null; readonly inTeamSince: string | null },
): boolean {
  const nextWeek = addDays(weekStartsOn, 7);
  const dates = challengeType === 'team' ? [since.joinedOn, since.inTeamSince] : [since.joinedOn];
  return dates.every((date) => date === null || date < nextWeek);
}

function entryOf(command: ClaimBonus, at: Date): MilesCredited['data'] {
  const { entryId, challengeId, userId, teamId, centimiles, weekStartsOn, claimedOn } = command;
  return {
    entryId,
    kind: 'weekly-bonus',
    logId: null,
    userId,
    teamId,
    centimiles,
    creditedOn: claimedOn,
    weekStartsOn,
    creditedAt: at.toISOString(),
    // A bonus makes no day active.
    movements: 0,
    basis: { challengeId },
    ...(command.isOwnerOnly && { isOwnerOnly: true as const }),
  };
}

const creditEvent = (data: MilesCredited['data']): MilesCredited => ({ type: 'MilesCredited', data });
