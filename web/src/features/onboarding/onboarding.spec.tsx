import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, type Api } from '../../testing/app.tsx';
import { endSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';

const saving = 'PATCH /api/me/activity-level';
const assignedTeam = { id: 't7', name: 'Night Owls', emoji: '🦉' };

/** The first test also loads the screens. */
const patientMilliseconds = 20_000;

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const heading = async (name: string) => expect(await screen.findByRole('heading', { name })).toBeDefined();

/** Signs up, which is the one way to the four steps. */
async function open(api: Api = {}) {
  const calls = serveApi({
    'POST /api/signup': { status: 201, body: { token: 'token-9', user: me, assignedTeam } },
    [saving]: { body: { activityLevel: 'moderate' } },
    ...api,
  });
  const app = openApp('/signup');
  await press('Continue with Email');
  await screen.findByLabelText('Full name');
  const typed = { 'Full name': 'Maya Okafor', Email: 'maya@example.org', Password: 'Walk4ever!' };
  for (const [label, value] of Object.entries(typed))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  await press('Create Account');
  await heading('Welcome, Maya!');
  return { calls, ...app };
}

const savings = (calls: readonly Request[]) => pathsOf(calls).filter((path) => path === saving);

beforeEach(() => {
  endSession();
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test(
  '[2.2 2.41 4.12] four steps lead from the sign-up to the dashboard, without navigation around them',
  async () => {
    const { router } = await open();
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    await press('Continue');
    await heading('How it works');
    await press('Continue');
    await userEvent.click(await screen.findByRole('radio', { name: "I'm fairly consistent" }));
    await press('Continue');
    await heading("You're on team Night Owls");
    await press('Get Started');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeDefined();
  },
  patientMilliseconds,
);

test('[2.41 2.43 4.13] four dots lead to the steps; the last waits for the activity level, which is saved on leaving', async () => {
  const { calls } = await open();
  const dots = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole<HTMLButtonElement>('button');
  expect(dots.map((dot) => dot.getAttribute('aria-current'))).toEqual(['step', null, null, null]);
  expect(dots.map(({ disabled }) => disabled)).toEqual([false, false, false, true]);
  await press('Step 2 of 4');
  await heading('How it works');
  await press('Step 3 of 4');
  await userEvent.click(screen.getByRole('radio', { name: 'Not active at all' }));
  await press('Step 1 of 4');
  await heading('Welcome, Maya!');
  expect(savings(calls)).toEqual([saving]);
  await press('Step 4 of 4');
  await heading("You're on team Night Owls");
});

test('[2.41] by keyboard alone: every step’s heading takes the focus, so that one hears where one is', async () => {
  await open();
  for (const name of ['Welcome, Maya!', 'How it works']) {
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name })));
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Continue');
    await userEvent.keyboard('{Enter}');
  }
  await waitFor(() => expect(document.activeElement?.textContent).toBe('How active are you?'));
  await userEvent.tab();
  await userEvent.keyboard(' ');
  expect(screen.getAllByRole('radio', { checked: true })).toHaveLength(1);
});

test('[2.44] the second step tells how it works', async () => {
  await open();
  await press('Continue');
  for (const text of [/everyday movement/, /10 minutes = 1 mile/, /personal and team totals/, /destinations together/])
    expect(screen.getByText(text)).toBeDefined();
});

test('[2.45 2.46] the third step goes on only after a choice of four', async () => {
  await open();
  await press('Step 3 of 4');
  const levels = screen.getAllByRole('radio').map((level) => level.getAttribute('aria-label'));
  expect(levels).toEqual([
    'Not active at all',
    'I try to move when I can',
    "I'm fairly consistent",
    'I work out regularly',
  ]);
  expect(button('Continue').disabled).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: 'I work out regularly' }));
  expect(button('Continue').disabled).toBe(false);
});

for (const [name, activityLevel] of [
  ['Not active at all', 'none'],
  ['I try to move when I can', 'light'],
  ["I'm fairly consistent", 'moderate'],
  ['I work out regularly', 'active'],
] as const)
  test(`[2.45 2.47 4.13] going on from the third step saves “${name}” as ${activityLevel}`, async () => {
    const { calls } = await open();
    await press('Step 3 of 4');
    await userEvent.click(screen.getByRole('radio', { name }));
    expect(savings(calls)).toEqual([]);
    await press('Continue');
    await heading("You're on team Night Owls");
    expect(await sentTo(calls, saving)).toEqual({ activityLevel });
    expect(calls.findLast(({ method }) => method === 'PATCH')?.headers.get('authorization')).toBe('Bearer token-9');
  });

test('[2.47 4.13] going back from the third step saves the choice too', async () => {
  const { calls } = await open();
  await press('Step 3 of 4');
  await press('Back');
  await heading('How it works');
  expect(savings(calls)).toEqual([]);
  await press('Continue');
  await userEvent.click(screen.getByRole('radio', { name: "I'm fairly consistent" }));
  await press('Back');
  await heading('How it works');
  expect(savings(calls)).toEqual([saving]);
});

test('[8.5] a choice that cannot be saved says why and keeps one on the step', async () => {
  let isBroken = true;
  const { calls } = await open({
    [saving]: () => (isBroken ? { status: 503, body: { message: 'Try later' } } : { body: { activityLevel: 'none' } }),
  });
  await press('Step 3 of 4');
  await userEvent.click(screen.getByRole('radio', { name: 'Not active at all' }));
  await press('Continue');
  expect(await noticeOf('Failed to update activity level')).toBe('Try later');
  await heading('How active are you?');
  isBroken = false;
  await press('Continue');
  await heading("You're on team Night Owls");
  expect(savings(calls)).toHaveLength(2);
});

test('[8.5] without a token the choice is not even sent', async () => {
  const { calls } = await open();
  await press('Step 3 of 4');
  await userEvent.click(screen.getByRole('radio', { name: 'Not active at all' }));
  localStorage.removeItem('token');
  await press('Continue');
  expect(await noticeOf('Failed to update activity level')).toBe('Authentication required - no token in localStorage');
  expect(savings(calls)).toEqual([]);
});

test('[2.48] the last step shows emoji and name of the team, and nothing to continue to', async () => {
  await open();
  await press('Step 3 of 4');
  await userEvent.click(screen.getByRole('radio', { name: 'Not active at all' }));
  await press('Continue');
  expect(await screen.findByText('🦉')).toBeDefined();
  expect(button('Get Started')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});
