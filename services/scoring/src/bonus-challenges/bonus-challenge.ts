import { minutesOfDay } from '@caravan/contracts/domain/time/local-days';
import {
  organisationDateOf,
  organisationZoneAt,
  type ZoneHistory,
} from '@caravan/contracts/domain/time/organisation-zone';
import type { Decider } from '@caravan/event-store/core/decider';
import type { Proposal } from './strategies.ts';

export type BonusTerms = Proposal & { challengeId: string; multiplier: number; openedAt: string; expiresAt: string };

export type BonusChallengeEvent =
  | { type: 'BonusChallengeOpened'; data: BonusTerms }
  | { type: 'BonusChallengeClosed'; data: { challengeId: string; closedAt: string } };

export type BonusChallengeCommand =
  | { type: 'OpenBonusChallenge'; challengeId: string; proposal: Proposal; expiresAt: Date }
  | { type: 'CloseBonusChallenge'; challengeId: string };

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
    // Stryker disable next-line StringLiteral: no rule asks for more than that it is neither absent nor open.
    return { is: type === 'BonusChallengeOpened' ? 'open' : 'closed' };
  },
};

const minuteMilliseconds = 60_000;
const opensFromHour = 9;
const opensUntilHour = 15;
const closesAtHour = 18;
/** The first one waits for no morning and stays for a day, so that everybody finds it. */
const firstLastsHours = 24;

/** One a day, from 9:00 to 18:00 in the organisation's zone, none after 15:00: the rest would reach too few. */
export function closingTimeFor(
  at: Date,
  { zones, lastOpenedAt }: { readonly zones: ZoneHistory; readonly lastOpenedAt: Date | null },
): Date | undefined {
  if (lastOpenedAt === null) return new Date(at.getTime() + firstLastsHours * 60 * minuteMilliseconds);
  const minutes = minutesOfDay(at, organisationZoneAt(zones, at));
  if (minutes < opensFromHour * 60 || minutes >= opensUntilHour * 60) return undefined;
  if (organisationDateOf(zones, lastOpenedAt) === organisationDateOf(zones, at)) return undefined;
  const wholeMinute = Math.floor(at.getTime() / minuteMilliseconds) * minuteMilliseconds;
  return new Date(wholeMinute + (closesAtHour * 60 - minutes) * minuteMilliseconds);
}
