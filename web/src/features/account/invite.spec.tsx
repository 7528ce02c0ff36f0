import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, type Api } from '../../testing/app.tsx';
import { endSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';

const problem = (status: number, message: string) => ({ status, body: { title: 'Refused', status, message } });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
async function type(label: string, text: string): Promise<void> {
  await userEvent.click(await screen.findByLabelText(label));
  await userEvent.paste(text);
}

async function fillIn(): Promise<void> {
  await type('Full name', 'Maya Okafor');
  await type('Email', 'maya@example.org');
  await type('Password', 'Walk4ever!');
}

const harbour = { organizationName: 'Harbour Inc', logoUrl: '/api/logos/harbour.webp' };

function open(path: string, api: Api = {}) {
  const calls = serveApi({
    'GET /api/invitations': { body: harbour },
    'POST /api/signup': problem(422, 'Refused'),
    ...api,
  });
  return { calls, ...openApp(path) };
}

beforeEach(() => {
  endSession();
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test.each(['WALK-2026', '007'])('[D1] the invite %s of the address stands in the form and is sent', async (invite) => {
  const { calls } = open(`/signup?invite=${invite}`);
  expect((await screen.findByLabelText<HTMLInputElement>('Invite code')).value).toBe(invite);
  await fillIn();
  await press('Create Account');
  expect(await noticeOf('Signup failed')).toBe('Refused');
  expect(await sentTo(calls, 'POST /api/signup')).toMatchObject({ invite });
});

test('[D1] an invite shows name and logo of the organisation it leads to', async () => {
  const { calls } = open('/signup?invite=WALK-2026');
  const where = (await screen.findByText('Harbour Inc')).closest('[role="status"]');
  expect(where?.textContent).toBe('You are joining Harbour Inc');
  expect(where?.querySelector('img')?.getAttribute('src')).toBe(harbour.logoUrl);
  expect(pathsOf(calls)).toEqual(['GET /api/invitations?code=WALK-2026']);
});

test.each([
  [404, 'There is no such invite'],
  [422, 'This invite has expired'],
  [422, 'This invite is used up'],
])('[D1] an invite refused with %d says “%s”, and the form stands without it', async (status, words) => {
  const { calls } = open('/signup?invite=OLD', { 'GET /api/invitations': problem(status, words) });
  expect(await screen.findByText(words)).toBeDefined();
  await userEvent.clear(screen.getByLabelText('Invite code'));
  await press('Start a new organisation');
  expect(screen.queryByText(words)).toBeNull();
  await fillIn();
  await type('Name of the organisation', 'Harbour Inc');
  await press('Create Account');
  await noticeOf('Signup failed');
  expect(await sentTo(calls, 'POST /api/signup')).not.toHaveProperty('invite');
});

test('[D1] a code typed into the form is looked up when it is complete', async () => {
  const { calls } = open('/signup');
  await press('Continue with Email');
  await press('I have an invite');
  await type('Invite code', ' WALK-2026 ');
  expect(pathsOf(calls)).toEqual([]);
  await userEvent.tab();
  expect(await screen.findByText('Harbour Inc')).toBeDefined();
  expect(pathsOf(calls)).toEqual(['GET /api/invitations?code=WALK-2026']);
});

test('[D1] starting a new organisation sends its name in place of the invite', async () => {
  const { calls } = open('/signup?invite=WALK-2026');
  await press('Start a new organisation');
  await fillIn();
  await press('Create Account');
  expect(await screen.findByText('Organisation name is required')).toBeDefined();
  expect(pathsOf(calls)).not.toContain('POST /api/signup');
  await type('Name of the organisation', 'Harbour Inc');
  await press('Create Account');
  await noticeOf('Signup failed');
  const sent = await sentTo(calls, 'POST /api/signup');
  expect(sent).toMatchObject({ organizationName: 'Harbour Inc' });
  expect(sent).not.toHaveProperty('invite');
});
