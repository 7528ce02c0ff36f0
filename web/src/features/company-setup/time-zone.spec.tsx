import type { Company } from '@caravan/contracts/http/organisations';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, sentTo } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';
import { known, open, press, saving, savingOn } from './testing/open-company-setup.tsx';

// Takes the place of what the test before had said.
beforeEach(() => toast({ title: 'Nothing yet' }));
afterEach(() => void vi.useRealTimers());

const inBerlin: Company = { ...known, timeZone: 'Europe/Berlin', comingTimeZone: null };
const zoneField = () => screen.getByLabelText<HTMLSelectElement>('Time zone');

test('[D10 D44] an admin reads in which time zone weeks begin, where the server tells it', async () => {
  await open(inBerlin);
  expect(zoneField().value).toBe('Europe/Berlin');
  expect(screen.getByText(/^Weeks begin on Monday at 00:00 there\./)).toBeDefined();
  cleanup();
  await open(known);
  expect(screen.queryByLabelText('Time zone')).toBeNull();
});

test('[7.32 D10] an admin chooses another time zone, reads from which Monday it holds, and sends it', async () => {
  vi.setSystemTime('2026-11-25T12:00:00Z');
  const { calls } = await open(inBerlin);
  await userEvent.selectOptions(zoneField(), 'America/New_York');
  const words =
    'From Monday, November 30 weeks begin on Monday at 00:00 there. Until then the time zone is Europe/Berlin.';
  expect(screen.getByText(words)).toBeDefined();
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).toMatchObject({ timeZone: 'America/New_York' });
});

test('[7.32 D10] a time zone that is to come stands in the form, is not sent again, and can be withdrawn', async () => {
  vi.setSystemTime('2026-11-25T12:00:00Z');
  const coming = { timeZone: 'America/New_York', from: '2026-11-30' };
  const { calls } = await open({ ...inBerlin, comingTimeZone: coming });
  expect(zoneField().value).toBe('America/New_York');
  expect(screen.getByText(/^From Monday, November 30 .* Until then the time zone is Europe\/Berlin\.$/)).toBeDefined();
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).not.toHaveProperty('timeZone');
  cleanup();
  const again = await open({ ...inBerlin, comingTimeZone: coming });
  await userEvent.selectOptions(zoneField(), 'Europe/Berlin');
  expect(screen.getByText(/^Weeks begin on Monday at 00:00 there\./)).toBeDefined();
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(again.calls, saving)).toMatchObject({ timeZone: 'Europe/Berlin' });
});

test('[7.32 D38] where another admin has changed the time zone meanwhile, the form says to what', async () => {
  const now: Company = { ...inBerlin, comingTimeZone: { timeZone: 'Asia/Tokyo', from: '2026-11-30' } };
  const { saved, save } = savingOn(now);
  let company = inBerlin;
  await open(inBerlin, { 'GET /api/company': () => ({ body: company }), [saving]: save });
  company = now;
  await userEvent.selectOptions(zoneField(), 'America/New_York');
  await press('Complete Setup');
  await screen.findByText('Somebody else has changed this to “Asia/Tokyo” meanwhile. Save again to keep yours.');
  expect(saved).toEqual([]);
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(saved).toMatchObject([{ timeZone: 'America/New_York' }]);
});
