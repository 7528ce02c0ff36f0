import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { openApp, serveApi, signedInAs, type Api } from '../../../testing/app.tsx';
import { toast } from '../../../ui/toast-state.ts';

export const startedAt = '2026-11-21T09:00:00.000Z';
export const logging = 'POST /api/log';
export const bonusLink = '/timer?preset=true&duration=30&activity=Running&bonusChallenge=b1';

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
export const time = () => screen.getByRole('timer').textContent;
export const shows = (text: string) => waitFor(() => expect(time()).toBe(text));
export const milesLine = () => screen.getByRole('timer').nextElementSibling?.textContent;
export const write = (text: string) =>
  fireEvent.change(screen.getByLabelText('Describe your workout'), { target: { value: text } });
export const choosePhoto = () =>
  within(screen.getByRole('group', { name: 'Activity' }))
    .getAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent);

/** Only the clock on the wall is driven: the page's own ticks notice that it has moved. */
export const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

export const logAnswer = (milesEarned: number, bonusApplied = false) => ({
  [logging]: { status: 201, body: { id: 'l1', milesEarned, bonusApplied } },
});

export async function open(path = '/timer', api: Api = {}) {
  signedInAs();
  const calls = serveApi(api);
  const app = openApp(path);
  await screen.findByRole('timer');
  return { calls, ...app };
}

/** A run of that many seconds, stopped. */
export async function moveFor(seconds: number, shown: string, api: Api = {}) {
  const app = await open('/timer', api);
  await press('Start');
  pass(seconds);
  await shows(shown);
  await press('Stop');
  return app;
}

export function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(startedAt) });
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
}
