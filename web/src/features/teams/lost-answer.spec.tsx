import type { FormTeamRequest, ManagedTeam } from '@caravan/contracts/http/organisations';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';

const thunder: ManagedTeam = {
  id: 't1',
  name: 'Thunder',
  emoji: '⚡',
  memberCount: 12,
  retired: false,
  formedAt: '2026-11-01T08:00:00.000Z',
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const shownTeams = () =>
  within(screen.getByRole('region', { name: 'On the way', hidden: true }))
    .getAllByRole('listitem', { hidden: true })
    .map((row) => row.querySelector('b')?.textContent);

async function formWithLostAnswer() {
  let formed = 0;
  const server = keyedServer(1, (body) => {
    formed += 1;
    const { name, emoji } = body as FormTeamRequest;
    return { status: 201, body: { ...thunder, id: `new-${formed}`, name, emoji, memberCount: 0 } };
  });
  signedInAs({ role: 'admin' });
  serveApi({ 'GET /api/teams': { body: [thunder] }, 'POST /api/teams': server.answerTo });
  openApp('/admin/teams');
  await press('New team');
  await userEvent.type(await screen.findByLabelText('Name'), 'Owls');
  await press('Form the team');
  await screen.findByText('That did not work. Please try again later.');
  return server;
}

test('[D2 D38] a team whose answer was lost is formed once, however often one presses', async () => {
  const server = await formWithLostAnswer();
  await press('Form the team');
  expect(await screen.findByText('Owls is on the way')).toBeDefined();
  expect(shownTeams()).toEqual(['Thunder', 'Owls']);
  expect(server.served).toHaveLength(1);
});

test('[D2 D38] a team whose answer was lost and whose name was changed is said to be there, or joined by another', async () => {
  const server = await formWithLostAnswer();
  await userEvent.type(screen.getByLabelText('Name'), ' of the night');
  await press('Form the team');
  expect(await screen.findByText(/^Your first try was saved: Owls stands in the list/)).toBeDefined();
  expect(server.served).toHaveLength(1);
  await press('Form this team as well');
  await waitFor(() => expect(shownTeams()).toEqual(['Thunder', 'Owls', 'Owls of the night']));
  expect(server.served).toHaveLength(2);
});

test('[D2 D38] a team whose answer was lost can be left as it was formed', async () => {
  const server = await formWithLostAnswer();
  await userEvent.type(screen.getByLabelText('Name'), ' of the night');
  await press('Form the team');
  await press('Leave it as it is');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(shownTeams()).toEqual(['Thunder', 'Owls']);
  expect(server.served).toHaveLength(1);
});
