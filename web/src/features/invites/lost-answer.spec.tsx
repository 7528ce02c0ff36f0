import type { Invite } from '@caravan/contracts/http/organisations';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, openApp, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';

const invite: Invite = {
  id: 'i1',
  code: 'WALK2026',
  url: 'https://caravan.example/signup?invite=WALK2026',
  createdAt: '2026-11-20T08:00:00.000Z',
  expiresAt: '2026-12-05T10:00:00.000Z',
  maxUses: null,
  uses: 0,
  domains: [],
  teamId: null,
  state: 'open',
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function createWithLostAnswer() {
  const server = keyedServer(1, () => ({ status: 201, body: invite }));
  signedInAs({ role: 'admin' });
  serveApi({
    'GET /api/invites': { body: [] },
    'GET /api/teams': { body: [] },
    'POST /api/invites': server.answerTo,
  });
  openApp('/admin/invites');
  await press('New invite');
  await press('Create invite');
  expect(await noticeOf('The invite was not made')).toBe('Please try again later.');
  return server;
}

test('[D1 D38] an invite whose answer was lost is made once, however often one presses', async () => {
  const server = await createWithLostAnswer();
  await press('Create invite');
  const share = await screen.findByRole('dialog', { name: 'Share the invite' });
  expect(within(share).getByText('WALK2026')).toBeDefined();
  expect(server.served).toHaveLength(1);
  expect(screen.queryByText('Your first try was saved')).toBeNull();
});

test('[D1 D38] an invite whose answer was lost and whose terms were changed is shown as it was made', async () => {
  const server = await createWithLostAnswer();
  await userEvent.type(screen.getByLabelText('How many may join'), '20');
  await press('Create invite');
  expect(await noticeOf('Your first try was saved')).toContain('as you had filled it in then');
  expect(await screen.findByRole('dialog', { name: 'Share the invite' })).toBeDefined();
  expect(server.served).toHaveLength(1);
});
