import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { versionOf } from '@caravan/contracts/domain/version';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, openApp, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const template = (id: string, more: Partial<ChallengeTemplate> = {}): ChallengeTemplate => ({
  id,
  name: `Challenge ${id}`,
  description: `What ${id} asks for`,
  targetValue: 5,
  targetUnit: 'miles',
  bonusMiles: 2,
  challengeType: 'individual',
  isActive: true,
  ...more,
});
const templates = [
  template('a'),
  template('b', { targetUnit: 'days' }),
  template('c', { challengeType: 'team', isActive: false }),
];
const path = '/api/challenge-templates';

function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({ [`GET ${path}`]: { body: templates }, [`PUT ${path}`]: { body: templates }, ...api });
  openApp('/admin/challenges');
  return calls;
}

const problem = (errors: { path: string; message: string }[]) => ({
  status: 422,
  body: { type: 'about:blank', title: 'Invalid', status: 422, code: 'request/invalid', message: 'Invalid', errors },
});

test('[D14] admins see every template with its target, for whom it is and its bonus', async () => {
  open();
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Challenge aWhat a asks for5 mileseach member+2 miles'),
    expect.stringContaining('Challenge bWhat b asks for5 dayseach member+2 miles'),
    expect.stringContaining('Challenge cWhat c asks for5 milesthe team together+2 miles'),
  ]);
  expect(screen.getByRole('switch', { name: 'Challenge c Takes part' }).getAttribute('aria-checked')).toBe('false');
});

test('[D14] switching one off sends the whole list; what the server refuses is said in its words', async () => {
  const message = 'Keep at least one active individual distance, individual day and team challenge';
  const calls = open({ [`PUT ${path}`]: problem([{ path: '', message }]) });
  await userEvent.click(await screen.findByRole('switch', { name: 'Challenge a Takes part' }));
  expect(await noticeOf('Not switched')).toBe(message);
  expect(await sentTo(calls, `PUT ${path}`)).toEqual([
    { ...templates[0], isActive: false },
    templates[1],
    templates[2],
  ]);
});

test('[D14] another challenge is added at the end of the list', async () => {
  const calls = open();
  await userEvent.click(await screen.findByRole('button', { name: 'New challenge' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New challenge' }));
  await userEvent.type(dialog.getByLabelText('Name'), 'Walk far');
  await userEvent.type(dialog.getByLabelText('Description'), 'Seven and a half miles');
  await userEvent.type(dialog.getByLabelText('Target'), '7.5');
  await userEvent.type(dialog.getByLabelText('Bonus miles'), '3');
  await userEvent.selectOptions(dialog.getByLabelText('For'), 'team');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await noticeOf('Challenge saved')).toBe('It counts from the next week on.');
  expect(await sentTo(calls, `PUT ${path}`)).toEqual([
    ...templates,
    {
      name: 'Walk far',
      description: 'Seven and a half miles',
      targetValue: 7.5,
      targetUnit: 'miles',
      bonusMiles: 3,
      challengeType: 'team',
      isActive: true,
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('[D14 D38] what is wrong with a field stands at the field', async () => {
  open({ [`PUT ${path}`]: problem([{ path: '1.name', message: 'Name is required' }]) });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Challenge b' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit challenge' }));
  await userEvent.clear(dialog.getByLabelText('Name'));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Name is required')).toBeDefined();
  expect(dialog.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
});

const stale = { status: 412, body: { code: 'request/changed-meanwhile', message: 'Changed' } };

test('[D14 D38] a challenge is switched on the list as it is now, whatever another admin has changed in it', async () => {
  const now = [template('a'), template('b', { name: 'Renamed' }), template('c', { isActive: false }), template('d')];
  let list = templates;
  const calls = open({
    [`GET ${path}`]: () => ({ body: list }),
    [`PUT ${path}`]: ({ headers }) => (headers.get('if-match') === `"${versionOf(now)}"` ? { body: now } : stale),
  });
  const toggle = await screen.findByRole('switch', { name: 'Challenge a Takes part' });
  list = now;
  await userEvent.click(toggle);
  await waitFor(async () =>
    expect(await sentTo(calls, `PUT ${path}`)).toEqual([{ ...now[0], isActive: false }, now[1], now[2], now[3]]),
  );
});

test('[D14 D38] a challenge that another admin has changed meanwhile is not overwritten', async () => {
  let list = templates;
  open({ [`GET ${path}`]: () => ({ body: list }), [`PUT ${path}`]: stale });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Challenge a' }));
  list = [template('a', { name: 'Another name' }), ...templates.slice(1)];
  const name = await screen.findByLabelText('Name');
  await userEvent.clear(name);
  await userEvent.type(name, 'My name');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Somebody else has changed this challenge meanwhile. Close it and look at it again.');
});
