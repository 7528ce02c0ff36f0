import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { versionOf } from '@caravan/contracts/domain/version';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serveApi, signedInAs } from '../../testing/app.tsx';

const path = '/api/challenge-templates';
const first: ChallengeTemplate = {
  id: 'a',
  name: 'Far',
  description: 'Walk far',
  targetValue: 5,
  targetUnit: 'miles',
  bonusMiles: 2,
  challengeType: 'individual',
  isActive: true,
};

/** Stores each list as the server does, and loses the first answer. */
function openLosingOne() {
  let list = [first];
  let saves = 0;
  signedInAs({ role: 'admin' });
  serveApi({
    [`GET ${path}`]: () => ({ body: list }),
    [`PUT ${path}`]: async (request: Request) => {
      if (request.headers.get('if-match') !== `"${versionOf(list)}"`)
        return { status: 412, body: { code: 'request/changed-meanwhile', message: 'Changed' } };
      const sent = (await request.clone().json()) as ChallengeTemplate[];
      list = sent.map((template, at) => ({ ...template, id: template.id ?? `new-${at}` }));
      saves += 1;
      if (saves === 1) throw new TypeError('Failed to fetch');
      return { body: list };
    },
  });
  openApp('/admin/challenges');
  return { list: () => list };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const saveTwice = async (between: () => void) => {
  await press('Save');
  await screen.findByRole('alert');
  between();
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};

test('[D14 D38] a new challenge whose answer was lost is there once, with what was typed since', async () => {
  const { list } = openLosingOne();
  await press('New challenge');
  type('Name', 'Climb');
  type('Description', 'Take the stairs');
  type('Target', '30');
  type('Bonus miles', '3');
  await saveTwice(() => type('Bonus miles', '4'));
  expect(list().map(({ name, bonusMiles }) => [name, bonusMiles])).toEqual([
    ['Far', 2],
    ['Climb', 4],
  ]);
});

test('[D14 D38] a changed challenge whose answer was lost is saved again, and names nobody else', async () => {
  const { list } = openLosingOne();
  await press(/^Edit/);
  type('Bonus miles', '3');
  await saveTwice(() => type('Bonus miles', '4'));
  expect(list()).toEqual([{ ...first, bonusMiles: 4 }]);
});
