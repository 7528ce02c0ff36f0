import { milesCredited } from '@caravan/contracts/events/scoring.events';
import sample from '@caravan/contracts/samples/MilesCredited.v1.json';
import { expect, test } from 'vitest';
import { ledgerPublicEvents } from './public-events.ts';

test('credited miles leave as the frozen sample says, with the totals they lead to', () => {
  const { totalCentimiles, latestRun, ...data } = milesCredited.data.parse(sample);
  const publish = ledgerPublicEvents.MilesCredited;
  if (publish === 'private') throw new Error('MilesCredited leaves this service');
  const event = { type: 'MilesCredited', data: { ...data, weekStartsOn: '2026-11-16', creditedAt: '' } };
  expect(publish(event as unknown as Parameters<typeof publish>[0], { totalCentimiles, latestRun })).toEqual({
    type: 'MilesCredited',
    version: 1,
    data: sample,
  });
});
