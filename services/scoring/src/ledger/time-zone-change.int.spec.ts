import { onlyZone, withTimeZone } from '@caravan/contracts/domain/time/organisation-zone';
import { eventually } from '@caravan/event-store/testing/eventually';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import type { Fact } from '@caravan/messaging/testing/peer-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { movementCorrected, movementLogged, movementRemoved, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { WeeksService } from '../weekly-challenges/weeks.service.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const earlier = '2026-11-09';
const later = '2026-11-16';
const changedAt = new Date('2026-11-12T12:00:00.000Z');
const zones = withTimeZone(onlyZone('Europe/Berlin'), 'America/Los_Angeles', changedAt);
const zoneChanged = {
  type: 'OrganisationTimeZoneChanged',
  data: { zones, changedAt: changedAt.toISOString() },
};

const at = (startedAt: string, centimiles: number) => ({
  startedAt: new Date(startedAt),
  loggedAt: new Date(Date.parse(startedAt) + 30 * 60_000),
  centimiles,
});

async function one() {
  const { orgId, members } = await scoring.foundOrganisation(['Maya']);
  const [maya] = members;
  if (!maya) throw new Error('a member');
  return { orgId, maya };
}

/** Publishes facts of activity twice, the second time backwards. */
async function publishFacts(...facts: readonly Fact[]) {
  const said = await scoring.activity.publish(...facts);
  await scoring.activity.redeliver(...said.toReversed());
}

const weeksOf = ({ orgId }: TestMember) =>
  scoring.rows<{ week: string; centimiles: number }>(
    orgId,
    `select week_starts_on::text as week, centimiles::int from member_weeks
     where org_id = $1 and centimiles <> 0 order by 1`,
  );
const entriesOf = async ({ orgId }: TestMember) =>
  scoring.rows<{ week: string; centimiles: number }>(
    orgId,
    `select week_starts_on::text as week, centimiles from ledger_entries where org_id = $1 order by credited_at, 2`,
  );
const knowsChange = (orgId: string) =>
  eventually(async () => {
    const sql = 'select from organisations where org_id = $1 and jsonb_array_length(time_zone_changes) = 1';
    expect(await scoring.rows(orgId, sql)).toHaveLength(1);
  });

describe('the miles of an organisation that changes its time zone', () => {
  test('[D10 D8] older logs stay in their week, corrected and taken back, and new ones go where the new zone says', async () => {
    const { orgId, maya } = await one();
    // Monday in Berlin, Sunday in Los Angeles.
    const [kept, changed, removed] = [100, 200, 400].map((centimiles) =>
      movementLogged(maya, at('2026-11-08T23:30:00.000Z', centimiles)),
    );
    if (!kept || !changed || !removed) throw new Error('three logs');
    await publishFacts(kept, changed, removed);
    await eventually(async () => expect(await weeksOf(maya)).toEqual([{ week: earlier, centimiles: 700 }]));
    await scoring.tell(orgId, zoneChanged);
    await knowsChange(orgId);

    await publishFacts(movementCorrected(changed, { durationMinutes: 50 }), movementRemoved(removed));
    await eventually(async () => expect(await weeksOf(maya)).toEqual([{ week: earlier, centimiles: 600 }]));
    expect(new Set((await entriesOf(maya)).map(({ week }) => week))).toEqual(new Set([earlier]));

    await publishFacts(
      // The week before has not ended.
      movementLogged(maya, at('2026-11-16T07:59:00.000Z', 1_000)),
      movementLogged(maya, at('2026-11-16T08:00:00.000Z', 2_000)),
    );
    await eventually(async () =>
      expect(await weeksOf(maya)).toEqual([
        { week: earlier, centimiles: 1_600 },
        { week: later, centimiles: 2_000 },
      ]),
    );
  });

  test('[D10 D49] are the same once the read models are made again', async () => {
    const { orgId, maya } = await one();
    await scoring.tell(orgId, zoneChanged);
    await knowsChange(orgId);
    const inNewWeek = movementLogged(maya, at('2026-11-16T08:00:00.000Z', 300));
    await publishFacts(movementLogged(maya, at('2026-11-16T07:59:00.000Z', 100)), inNewWeek);
    await publishFacts(movementCorrected(inNewWeek, { startedAt: new Date('2026-11-16T07:00:00.000Z') }));
    await eventually(async () => expect(await weeksOf(maya)).toEqual([{ week: earlier, centimiles: 400 }]));
    const rows = await entriesOf(maya);
    for (const projection of ledgerOfAll.projections)
      await rebuild({ ...rebuildable, databaseUrl: scoring.ownerUrl, projection });
    expect([await entriesOf(maya), await weeksOf(maya)]).toEqual([rows, [{ week: earlier, centimiles: 400 }]]);
  });

  test('[D10 D14] its weekly challenges open when Monday begins in the new zone', async () => {
    const { orgId } = await one();
    const wish = new Date('2027-02-24T12:00:00.000Z');
    const data = {
      zones: withTimeZone(onlyZone('Europe/Berlin'), 'America/Los_Angeles', wish),
      changedAt: wish.toISOString(),
    };
    await scoring.tell(orgId, { type: 'OrganisationTimeZoneChanged', data });
    await knowsChange(orgId);
    const weeks = scoring.app.get(WeeksService);
    const openedWeeks = async () => {
      const sql = 'select max(week_starts_on)::text as week from challenge_weeks where org_id = $1';
      return (await scoring.rows<{ week: string }>(orgId, sql))[0]?.week;
    };
    await weeks.openAll(new Date('2027-03-01T07:59:00.000Z'));
    expect(await openedWeeks()).toBe('2027-02-22');
    await weeks.openAll(new Date('2027-03-01T08:00:00.000Z'));
    expect(await openedWeeks()).toBe('2027-03-01');
  });
});
