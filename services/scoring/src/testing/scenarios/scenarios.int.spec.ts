import { eventually } from '@caravan/event-store/testing/eventually';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { Listener } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByService } from './by-service.ts';
import { scenarios } from './scenario.ts';
import { startScoring } from '../scoring-under-test.ts';
import type { ScoringUnderTest } from '../scoring-under-test.ts';

let scoring: ScoringUnderTest;
let scores: Listener;
let elsewhere: { orgId: string; teamId: string };
beforeAll(async () => {
  scoring = await startScoring();
  scores = await listenTo('scoring', scoring.env);
  const { orgId, teams } = await scoring.foundOrganisation(['Nobody']);
  await eventually(async () => {
    expect(await scoring.rows(orgId, 'select from organisations where org_id = $1')).toHaveLength(1);
  });
  elsewhere = { orgId, teamId: teams[0]?.teamId ?? '' };
});
afterAll(async () => {
  await scores.close();
  await scoring.close();
});

describe('on the running service, everything delivered twice and then backwards', () => {
  test.concurrent.for(
    scenarios.map((scenario) => [`[${scenario.proves.join(' ')}] ${scenario.name}`, scenario] as const),
  )('%s', { timeout: 180_000 }, async ([, scenario]) => {
    const organisation = await ByService.found({ scoring, scores }, scenario);
    for (const step of [...scenario.given.before, ...scenario.when]) await organisation.take(step);
    await organisation.see(scenario.then);
    await organisation.tellAllAgain(elsewhere);
    await organisation.see(scenario.then);
  });
});
