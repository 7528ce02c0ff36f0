import { eventually } from '@caravan/event-store/testing/eventually';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { Listener } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest } from '../testing/activity-under-test.ts';
import { ByService } from '../testing/scenarios/by-service.ts';
import { scenarios } from '../testing/scenarios/scenario.ts';

let activity: ActivityUnderTest;
let scoring: PeerService;
let facts: Listener;
beforeAll(async () => {
  activity = await startActivity();
  scoring = await startPeerService('scoring', activity.env);
  facts = await listenTo('activity', activity.env);
});
afterAll(async () => {
  await Promise.all([scoring.close(), facts.close()]);
  await activity.close();
});

describe('on the running service, everything asked and delivered twice', () => {
  test.concurrent.for(
    scenarios.map((scenario) => [`[${scenario.proves.join(' ')}] ${scenario.name}`, scenario] as const),
  )('%s', { timeout: 180_000 }, async ([, scenario]) => {
    const members = new ByService({ activity, scoring, facts }, scenario);
    await members.begin();
    for (const step of scenario.when) {
      const told = await members.take(step);
      if ('asks' in step)
        expect(told).toEqual(step.refuses === undefined ? { answer: step.answer } : { refuses: step.refuses });
      if ('removes' in step) expect(told).toEqual(step.refuses === undefined ? undefined : { refuses: step.refuses });
    }
    await eventually(async () => expect(await members.outcome()).toEqual(scenario.then));
  });
});
