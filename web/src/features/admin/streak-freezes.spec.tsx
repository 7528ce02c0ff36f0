import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { endSession } from '../../lib/session-state.ts';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

beforeEach(() => endSession());

const path = 'PUT /api/company/streaks';

/** Identity, which keeps the rule; it refuses with `refusal`. */
function openAdmin(refusal?: Api[string]) {
  let streakFreezes: number | null = 2;
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/me': () => ({ body: { ...me, role: 'admin', streakFreezes } }),
    [path]:
      refusal ??
      (async (request) => {
        const rule = (await request.clone().json()) as { hasFreezes: boolean };
        streakFreezes = rule.hasFreezes ? 2 : null;
        return { body: rule };
      }),
  });
  openApp('/admin');
  return calls;
}

const theSwitch = () => screen.findByRole('switch', { name: 'Streak freezes' });
const isOn = async () => (await theSwitch()).getAttribute('aria-checked');

test('[D11 2.77] an admin switches the freezes of streaks off and on by keyboard, saved at once', async () => {
  const calls = openAdmin();
  const found = await theSwitch();
  expect(found.getAttribute('aria-checked')).toBe('true');
  expect(document.getElementById(found.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'A missed day uses up a freeze instead of ending the streak; everybody gets one a week and saves two at most.',
  );
  found.focus();
  await userEvent.keyboard(' ');
  expect(await screen.findByText('Streak freezes are off')).toBeDefined();
  expect(await sentTo(calls, path)).toEqual({ hasFreezes: false });
  await waitFor(async () => expect(await isOn()).toBe('false'));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Streak freezes are on')).toBeDefined();
  expect(await sentTo(calls, path)).toEqual({ hasFreezes: true });
  await waitFor(async () => expect(await isOn()).toBe('true'));
});

test('[D11 8.1] a turn that fails says why and is not kept', async () => {
  openAdmin({ status: 503, body: { message: 'Back in a minute.' } });
  await userEvent.click(await theSwitch());
  expect(await noticeOf('Not switched')).toBe('Back in a minute.');
  await waitFor(async () => expect(await isOn()).toBe('true'));
});

test('[D11 D38] after a lost answer the switch shows what the server has stored, and says so', async () => {
  let streakFreezes: number | null = 2;
  signedInAs({ role: 'admin' });
  serveApi({
    'GET /api/me': () => ({ body: { ...me, role: 'admin', streakFreezes } }),
    [path]: () => {
      streakFreezes = null;
      throw new TypeError('Failed to fetch');
    },
  });
  openApp('/admin');
  await userEvent.click(await theSwitch());
  expect(await screen.findByText('Streak freezes are off')).toBeDefined();
  expect(screen.queryByText('Not switched')).toBeNull();
  await waitFor(async () => expect(await isOn()).toBe('false'));
});

test('[D11] turns do not overtake each other', async () => {
  const answers: (() => void)[] = [];
  const calls = openAdmin(() => new Promise((resolve) => answers.push(() => resolve({ body: { hasFreezes: false } }))));
  const found = await theSwitch();
  await userEvent.click(found);
  await userEvent.click(found);
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(await isOn()).toBe('false');
  answers[0]?.();
  expect(await screen.findByText('Streak freezes are off')).toBeDefined();
  expect(pathsOf(calls).filter((call) => call === path)).toHaveLength(1);
});
