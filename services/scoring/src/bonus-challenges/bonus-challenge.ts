import type { Decider } from '@caravan/event-store/decider';
import type { Proposal } from './strategies.ts';

// Events

export type BonusTerms = Proposal & { challengeId: string; multiplier: number; openedAt: string; expiresAt: string };

export type BonusChallengeEvent =
  | { type: 'BonusChallengeOpened'; data: BonusTerms }
  | { type: 'BonusChallengeClosed'; data: { challengeId: string; closedAt: string } };

// Commands

export type BonusChallengeCommand =
  | { type: 'OpenBonusChallenge'; challengeId: string; proposal: Proposal; expiresAt: Date }
  | { type: 'CloseBonusChallenge'; challengeId: string };

// State: only what a decision needs

export type BonusChallenge = { is: 'absent' | 'open' | 'closed' };

/** 9.4 */
export const bonusMultiplier = 2;

export const bonusChallenge: Decider<BonusChallenge, BonusChallengeCommand, BonusChallengeEvent> = {
  category: 'bonus-challenge',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    const { challengeId } = command;
    if (command.type === 'CloseBonusChallenge')
      return state.is === 'open'
        ? [{ type: 'BonusChallengeClosed', data: { challengeId, closedAt: at.toISOString() } }]
        : [];
    if (state.is !== 'absent') return [];
    const { proposal, expiresAt } = command;
    const hours = { openedAt: at.toISOString(), expiresAt: expiresAt.toISOString() };
    return [
      { type: 'BonusChallengeOpened', data: { challengeId, ...proposal, multiplier: bonusMultiplier, ...hours } },
    ];
  },

  evolve(_state, { type }) {
    return { is: type === 'BonusChallengeOpened' ? 'open' : 'closed' };
  },
};
