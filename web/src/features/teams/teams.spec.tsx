import { formTeamRequestSchema, type ManagedTeam } from '@caravan/contracts/http/organisations';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Api, noticeOf, openApp, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';
import { emblems, emblemsWith } from './emblems.ts';

const formedAt = '2026-11-01T08:00:00.000Z';
const thunder: ManagedTeam = { id: 't1', name: 'Thunder', emoji: '⚡', memberCount: 12, retired: false, formedAt };
const blazers: ManagedTeam = { id: 't2', name: 'Blazers', emoji: '🔥', memberCount: 0, retired: false, formedAt };
const owls: ManagedTeam = { id: 't3', name: 'Owls', emoji: '🦩', memberCount: 0, retired: true, formedAt };
const problem = (message: string) => ({ status: 422, body: { title: 'Refused', status: 422, message } });

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const namesIn = (region: string) =>
  within(screen.getByRole('region', { name: region }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('b')?.textContent);

async function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({ 'GET /api/teams': { body: [thunder, blazers, owls] }, ...api });
  const app = openApp('/admin/teams');
  await screen.findByRole('region', { name: 'On the way' });
  return { calls, ...app };
}

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
  // jsdom has no pointers to capture, which the toast does while it may be swiped.
  Object.assign(Element.prototype, { hasPointerCapture: () => false, setPointerCapture: () => undefined });
});

test('[D2] teams stand with their emblem and members, retired ones apart', async () => {
  await open();
  expect(namesIn('On the way')).toEqual(['Thunder', 'Blazers']);
  expect(namesIn('Retired')).toEqual(['Owls']);
  const link = screen.getByRole('link', { name: '12 members' });
  expect(link.getAttribute('href')).toBe('/admin/members?teamId=t1');
});

test('[D2 D43] a team is formed with a name and an emblem', async () => {
  const night = { ...blazers, id: 't4', name: 'Night Owls', emoji: '🦉' };
  const { calls } = await open({ 'POST /api/teams': { status: 201, body: night } });
  await press('New team');
  await press('Form the team');
  expect(await screen.findByText('Team name is required')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Name'), ' Night Owls ');
  await userEvent.click(screen.getByRole('radio', { name: '🦉' }));
  await press('Form the team');
  expect(await screen.findByText('Night Owls')).toBeDefined();
  expect(await sentTo(calls, 'POST /api/teams')).toEqual({ name: 'Night Owls', emoji: '🦉' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[D2] a team is renamed; a name that is taken is said at the field', async () => {
  let isTaken = true;
  const { calls } = await open({
    'PATCH /api/teams/t1': () =>
      isTaken ? problem('A team of this name exists') : { body: { ...thunder, name: 'Storm' } },
  });
  await press('Edit Thunder');
  const name = await screen.findByLabelText('Name');
  await userEvent.clear(name);
  await userEvent.type(name, 'Storm');
  await press('Save');
  expect(await screen.findByRole('textbox', { description: 'A team of this name exists' })).toBeDefined();
  isTaken = false;
  await press('Save');
  expect(await screen.findByText('Storm is saved')).toBeDefined();
  expect(namesIn('On the way')).toEqual(['Storm', 'Blazers']);
  expect(await sentTo(calls, 'PATCH /api/teams/t1')).toEqual({ name: 'Storm', emoji: '⚡' });
});

test('[D2] a team is retired at once and can be taken back', async () => {
  let retired = false;
  const { calls } = await open({
    'PATCH /api/teams/t2': async (request) => {
      ({ retired } = (await request.clone().json()) as { retired: boolean });
      return { body: { ...blazers, retired } };
    },
  });
  await press('Retire Blazers');
  expect(await screen.findByRole('button', { name: 'Reopen Blazers' })).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/teams/t2')).toEqual({ retired: true });
  await press('Undo');
  expect(await screen.findByRole('button', { name: 'Retire Blazers' })).toBeDefined();
  expect(retired).toBe(false);
});

test('a team that cannot be retired says why in the server’s words', async () => {
  await open({ 'PATCH /api/teams/t1': problem('Move its 12 members first') });
  await press('Retire Thunder');
  expect(await noticeOf('Thunder was not retired')).toBe('Move its 12 members first');
  expect(namesIn('On the way')).toContain('Thunder');
});

test('every emblem is one the server takes, and a team’s own is always among them', () => {
  for (const emoji of emblems) expect(formTeamRequestSchema.safeParse({ name: 'Team', emoji }).success).toBe(true);
  expect(new Set(emblems).size).toBe(emblems.length);
  expect(emblemsWith('🦩')[0]).toBe('🦩');
  expect(emblemsWith('🔥')).toBe(emblems);
});

test('what cannot be loaded says so and can be tried again', async () => {
  signedInAs({ role: 'admin' });
  let isBroken = true;
  serveApi({ 'GET /api/teams': () => (isBroken ? { status: 500, body: 'Boom' } : { body: [thunder] }) });
  openApp('/admin/teams');
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByText('Thunder')).toBeDefined();
});
