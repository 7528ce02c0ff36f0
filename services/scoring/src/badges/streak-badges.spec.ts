import { addDays } from '@caravan/contracts/domain/time/local-days';
import { latestStartOf, type StreakRun } from '@caravan/contracts/domain/movement/streak';
import { streakDayByDay } from '@caravan/contracts/testing/streak-day-by-day';
import { fold } from '@caravan/event-store/core/decider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badges, earnedBadgeIds, type BadgesEvent } from './badges.ts';
import { catalogue } from './catalogue.ts';
import { streakDaysOn } from './gallery.ts';

const ofStreaks = catalogue.filter(({ metric }) => metric === 'streakDays');
const context = { by: null, orgId: 'organisation', at: new Date('2026-11-21T08:00:00.000Z') };

/** Awards what the rule of the moment says a member's streak has reached, as scoring does with a log and at looking. */
function award(events: readonly BadgesEvent[], runs: readonly StreakRun[], hasFreezes: boolean): BadgesEvent[] {
  const streak = { latestRun: runs.at(-1) ?? null, streakStart: latestStartOf(runs), hasFreezes };
  const reached = earnedBadgeIds(ofStreaks, { streakDays: streakDaysOn(streak) });
  const due = reached.map((badgeId) => ({ badgeId, earnedAt: context.at.toISOString() }));
  const command = { type: 'AwardBadges', userId: 'maya', badges: due } as const;
  return [...events, ...badges.decide(command, fold(badges, events), context)];
}

/** A log so many days after the one before, or a turn of the switch. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 4) },
  { weight: 1, arbitrary: fc.constant('turn' as const) },
);

test('[D11 D13] a badge is earned once a streak has reached it by the rule of that moment, and no turn of the switch takes it away', () => {
  const property = fc.property(fc.array(step, { maxLength: 60 }), fc.nat(27), (steps, offset) => {
    const runs: StreakRun[] = [];
    const days = new Set<string>();
    const expected = new Set<string>();
    let events = [] as BadgesEvent[];
    let hasFreezes = true;
    let today = addDays('2026-02-02', offset);
    for (const one of steps) {
      if (one === 'turn') hasFreezes = !hasFreezes;
      else {
        today = addDays(today, one);
        days.add(today);
        const last = runs.at(-1);
        if (last && one === 1) runs.splice(-1, 1, { ...last, endedOn: today });
        else runs.push({ startedOn: today, endedOn: today });
      }
      events = award(events, runs, hasFreezes);
      const [first = today] = days;
      const { days: length } = streakDayByDay(days, first, today, hasFreezes);
      for (const { id, target } of ofStreaks) if (days.size > 0 && length >= target) expected.add(id);
      expect(new Set(fold(badges, events).keys())).toEqual(expected);
    }
  });
  fc.assert(property, { numRuns: 2_000 });
}, 60_000);
