import type { Company } from '@caravan/contracts/http/organisations';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { pathsOf } from '../../testing/app.tsx';
import { known, open, press, saving, savingOn } from './testing/open-company-setup.tsx';

const industry = () => screen.getByLabelText<HTMLInputElement>('Industry (optional)');

/** Stores the first save, loses its answer, and serves the later ones. */
async function openLosingOne(othersChange: Partial<Company> = {}) {
  let company = known;
  let attempts = 0;
  const opened = await open(known, {
    'GET /api/company': () => ({ body: company }),
    [saving]: async (request: Request) => {
      attempts += 1;
      const { saved, save } = savingOn(company);
      const answer = await save(request);
      if (saved[0]) company = { ...company, ...saved[0] };
      if (attempts > 1) return answer;
      company = { ...company, ...othersChange };
      throw new TypeError('Failed to fetch');
    },
  });
  return { ...opened, company: () => company };
}

test('[7.32 D38] a set-up whose answer was lost is saved again with what was typed since, and names no other admin', async () => {
  const { company, router, calls } = await openLosingOne();
  fireEvent.change(industry(), { target: { value: 'Ferries' } });
  await press('Complete Setup');
  await screen.findByText('Failed to complete company setup. Please try again.');
  fireEvent.change(industry(), { target: { value: 'Harbour tugs' } });
  await press('Complete Setup');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(company().industry).toBe('Harbour tugs');
  expect(pathsOf(calls).filter((path) => path === saving)).toHaveLength(3);
});

test('[7.32 D38] a field that is typed back to what it was after a lost answer is saved as it stands in the form', async () => {
  const { company, router } = await openLosingOne();
  fireEvent.change(industry(), { target: { value: 'Ferries' } });
  await press('Complete Setup');
  await screen.findByText('Failed to complete company setup. Please try again.');
  fireEvent.change(industry(), { target: { value: known.industry } });
  await press('Complete Setup');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(company().industry).toBe(known.industry);
});

test('[7.32 D38] a change by another admin after a lost answer is still named', async () => {
  await openLosingOne({ industry: 'Cranes' });
  fireEvent.change(industry(), { target: { value: 'Ferries' } });
  await press('Complete Setup');
  await screen.findByText('Failed to complete company setup. Please try again.');
  fireEvent.change(industry(), { target: { value: 'Harbour tugs' } });
  await press('Complete Setup');
  const words = 'Somebody else has changed this to “Cranes” meanwhile. Save again to keep yours.';
  expect(await screen.findByText(words)).toBeDefined();
});
