import { addDays } from '@caravan/contracts/domain/time/local-days';
import { organisationWeekOf, startOfOrganisationDate } from '@caravan/contracts/domain/time/organisation-zone';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { mostPublishedTogether } from '@caravan/event-store/core/publish-together';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AfterOrganisationNews } from '../ports.ts';
import { openedChallenges } from '../weekly-challenges/index.ts';
import * as due from './due-reminders.query.ts';
import type { Organisation } from './due-reminders.query.ts';
import { begunBy } from './begun-challenges.query.ts';
import { endingRounds, goalRounds, type Round, streakRounds } from './notice-times.ts';
import { forgetOldReminders, organisationsWithZones } from './notices.system.store.ts';
import { endingReminder, endingToday, goalReminder, type Reminder, streakReminder } from './reminders.ts';
import { forgetNoticesOf, sendReminders } from './reminders.store.ts';

type Rounds = { readonly what: string; readonly rounds: readonly Round[] };

const roundsKept = 100_000;

/** Finds whom it is time to remind, a zone's round at a time. Rows say who was told: two processes may look for the same. */
@Injectable()
export class Reminders implements AfterOrganisationNews {
  private readonly organisations: Sweep;
  /** Spares looking again; a process that starts anew looks again and tells nobody twice. */
  private readonly done = new LRUCache<string, true>({ max: roundsKept });

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.reminders');
  }

  async tellDue(at: Date): Promise<void> {
    const all = await organisationsWithZones(this.pool, at);
    await this.organisations.each(
      all,
      ({ orgId }) => orgId,
      (organisation) => this.remind(organisation, at),
    );
  }

  afterErased(member: { orgId: string; userId: string }, { tx }: BatchContext): Promise<void> {
    return forgetNoticesOf(tx, member);
  }

  forgetOld(at: Date): Promise<void> {
    return forgetOldReminders(this.pool, at);
  }

  private async remind(organisation: Organisation, at: Date): Promise<void> {
    await this.remindOfStreaks(organisation, at);
    await this.remindOfGoals(organisation, at);
    await this.remindOfWeek(organisation, at);
    await this.remindOfBonus(organisation, at);
  }

  private async remindOfStreaks(organisation: Organisation, at: Date): Promise<void> {
    const { orgId, zones, hasFreezes } = organisation;
    await this.once(orgId, { what: 'streaks', rounds: streakRounds(zones, at) }, async (rounds) => {
      const streaks = await withTenant(this.pool, orgId, (tx) => due.runningStreaks(tx, organisation, rounds));
      await this.tell(
        orgId,
        streaks.flatMap((streak) => streakReminder(streak, hasFreezes)),
      );
    });
  }

  private async remindOfGoals(organisation: Organisation, at: Date): Promise<void> {
    const { orgId, zones } = organisation;
    await this.once(orgId, { what: 'goals', rounds: goalRounds(zones, at) }, async (rounds) => {
      const which = { rounds, weekStartsOn: organisationWeekOf(organisation.history, at) };
      const weeks = await withTenant(this.pool, orgId, (tx) => due.weeksNearGoal(tx, organisation, which));
      await this.tell(orgId, weeks.flatMap(goalReminder));
    });
  }

  private async remindOfWeek(organisation: Organisation, at: Date): Promise<void> {
    const { orgId, history, zones } = organisation;
    const weekStartsOn = organisationWeekOf(history, at);
    const end = startOfOrganisationDate(history, addDays(weekStartsOn, 7));
    await this.once(orgId, { what: 'week', rounds: endingRounds(zones, at, end) }, async (rounds) => {
      const [challenges, present] = await withTenant(this.pool, orgId, (tx) =>
        Promise.all([
          openedChallenges(tx, { orgId, startsOn: weekStartsOn }),
          due.participants(tx, organisation, { rounds, weekStartsOn }),
        ]),
      );
      if (challenges.length === 0) return;
      for (const some of inParts(present)) {
        const begun = await withTenant(this.pool, orgId, (tx) => begunBy(tx, { orgId, challenges, members: some }));
        await this.tell(
          orgId,
          some.flatMap((one) => endingReminder(one, begun.get(one.userId) ?? [])),
        );
      }
    });
  }

  private async remindOfBonus(organisation: Organisation, at: Date): Promise<void> {
    const { orgId, zones, bonus } = organisation;
    if (!bonus) return;
    const what = `bonus ${bonus.challengeId}`;
    const ending = endingRounds(zones, at, new Date(bonus.expiresAt));
    await this.once(orgId, { what, rounds: ending }, async (rounds) => {
      const which = { rounds, bonus };
      const triers = await withTenant(this.pool, orgId, (tx) => due.bonusTriers(tx, organisation, which));
      await this.tell(
        orgId,
        triers.map((one) => endingToday(one, 'bonus', bonus)),
      );
    });
  }

  private async once(
    orgId: string,
    { what, rounds }: Rounds,
    work: (rounds: readonly Round[]) => Promise<void>,
  ): Promise<void> {
    const keyOf = ({ timeZone, on }: Round) => `${orgId} ${what} ${timeZone} ${on}`;
    const open = rounds.filter((round) => !this.done.has(keyOf(round)));
    if (open.length === 0) return;
    await work(open);
    for (const round of open) this.done.set(keyOf(round), true);
  }

  private async tell(orgId: string, reminders: readonly Reminder[]): Promise<void> {
    for (const some of inParts(reminders))
      await withTenant(this.pool, orgId, (tx) => sendReminders(tx, { orgId, at: new Date() }, some));
  }
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const size = mostPublishedTogether;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, nth) => rows.slice(nth * size, (nth + 1) * size));
}
