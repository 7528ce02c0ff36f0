import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { milesOf } from '@caravan/contracts/miles';
import type { Tx } from '@caravan/event-store/event-store';
import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { templatesOf } from '../challenge-templates.query.ts';
import { OrganisationWeek } from '../organisation-week.query.ts';
import { challengeFor, figuresFor } from './progress.query.ts';
import { progressAnswer } from './progress.ts';

type Row = Omit<WeeklyChallenge, 'bonusMiles' | 'weekEnd'> & { bonusCentimiles: number };
type Known = { readonly orgId: string; readonly timeZone: string; readonly openedWeek: string | null };

/** One statement, so that of two who open the same week only one does. */
const openSql = `
  with opened as (
    insert into challenge_weeks (org_id, week_starts_on, opened_at)
    select org_id, $2, $3 from organisations where org_id = $1 and not is_closed
    on conflict (org_id, week_starts_on) do nothing returning week_starts_on
  )
  insert into weekly_challenges (org_id, challenge_id, week_starts_on, place, name, description, target_value, target_unit,
    bonus_centimiles, challenge_type)
  select $1, t.challenge_id, o.week_starts_on, t.place, t.name, t.description, t.target_value, t.target_unit,
    t.bonus_centimiles, t.challenge_type
  from opened o, unnest($4::uuid[], $5::text[], $6::text[], $7::numeric[], $8::text[], $9::int[], $10::text[])
    with ordinality as t (challenge_id, name, description, target_value, target_unit, bonus_centimiles, challenge_type, place)`;

const listSql = `
  select challenge_id as id, name, description, target_value::float as "targetValue", target_unit as "targetUnit",
    bonus_centimiles as "bonusCentimiles", challenge_type as "challengeType", week_starts_on as "weekStart"
  from weekly_challenges where org_id = $1 and week_starts_on = $2 order by place`;

/** Opens each organisation's week with the challenges that its templates say; a week is opened once (D14). */
@Injectable()
export class Weeks {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.open-weeks');
  }

  /** The running week's challenges. Whoever looks before the schedule has come by opens the week. */
  async running(orgId: string, at: Date): Promise<WeeklyChallenge[]> {
    const startsOn = await this.week.startOf(orgId, at);
    const listed = await this.list(orgId, startsOn);
    if (listed.length > 0) return listed;
    // Somebody else may have opened it meanwhile.
    await this.open(orgId, startsOn, at);
    return this.list(orgId, startsOn);
  }

  /** How far the caller, or the caller's team, has come. Throws `Rejected` for an unknown challenge. */
  progress(caller: Caller, challengeId: string): Promise<ChallengeProgress> {
    return withTenant(this.pool, caller.orgId, async (tx) => {
      const challenge = await challengeFor(tx, caller, challengeId);
      const figures = await figuresFor(tx, { ...caller, teamId: challenge.teamId }, challenge);
      return progressAnswer(challenge, figures, challenge.isClaimed);
    });
  }

  /** Opens what has begun by now, wherever nobody did: also what was missed while this service stood still. */
  async openAll(at: Date): Promise<void> {
    const { rows } = await withSystem(this.pool, (tx) =>
      tx.query<Known>(
        `select org_id as "orgId", time_zone as "timeZone",
           (select max(week_starts_on) from challenge_weeks w where w.org_id = o.org_id) as "openedWeek"
         from organisations o where not is_closed`,
      ),
    );
    await this.organisations.each(
      rows,
      ({ orgId }) => orgId,
      async ({ orgId, timeZone, openedWeek }) => {
        const startsOn = weekStartOf(localDateOf(at, timeZone));
        if (openedWeek === null || openedWeek < startsOn) await this.open(orgId, startsOn, at);
      },
    );
  }

  /** An organisation that is not known here has no weeks. */
  private async open(orgId: string, startsOn: string, at: Date): Promise<void> {
    const isNew = await withTenant(this.pool, orgId, (tx) => openWeek(tx, { orgId, startsOn, at }));
    // A new week: what counts the week's miles begins anew as well.
    if (isNew) this.live.publish(orgId, ['challenges', 'stats', 'board']);
  }

  private async list(orgId: string, startsOn: string): Promise<WeeklyChallenge[]> {
    const { rows } = await tenantQuery<Row>(this.pool, orgId, listSql, [orgId, startsOn]);
    return rows.map(({ bonusCentimiles, ...challenge }) => ({
      ...challenge,
      bonusMiles: milesOf(bonusCentimiles),
      weekEnd: addDays(challenge.weekStart, 6),
    }));
  }
}

/** Opens a week with the templates that are active now; answers whether it was not open yet. */
async function openWeek(
  tx: Tx,
  { orgId, startsOn, at }: { orgId: string; startsOn: string; at: Date },
): Promise<boolean> {
  const active = (await templatesOf(tx, orgId)).filter(({ isActive }) => isActive);
  const of = <Value>(value: (template: (typeof active)[number]) => Value) => active.map(value);
  const { rowCount } = await tx.query(openSql, [
    ...[orgId, startsOn, at],
    of(() => randomUUIDv7()),
    of(({ name }) => name),
    of(({ description }) => description),
    of(({ targetValue }) => targetValue),
    of(({ targetUnit }) => targetUnit),
    of(({ bonusMiles }) => Math.round(bonusMiles * 100)),
    of(({ challengeType }) => challengeType),
  ]);
  return (rowCount ?? 0) > 0;
}
