import type { Company } from '@caravan/contracts/http/organisations';
import { versionOf } from '@caravan/contracts/domain/version';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openApp, serveApi, signedInAs, type Api } from '../../../testing/app.tsx';

export const saving = 'POST /api/company/setup';
export const fresh: Company = {
  companyName: 'Harbour Inc',
  employeeRange: null,
  brandTraits: [],
  industry: '',
  logoUrl: null,
  brandColors: [],
  welcomeMessage: 'Welcome to your team wellness platform!',
  setUpAt: null,
};
export const known: Company = {
  companyName: 'Harbour Inc',
  employeeRange: '26-50',
  brandTraits: ['bold', 'playful'],
  industry: 'Shipping',
  logoUrl: '/api/logos/1.webp',
  brandColors: ['#0369a1', '#22d3ee'],
  welcomeMessage: 'All aboard!',
  setUpAt: '2026-11-20T10:00:00.000Z',
};

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

export async function open(company: Company = fresh, api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({ 'GET /api/company': { body: company }, [saving]: { body: known }, ...api });
  const app = openApp('/company-setup');
  await screen.findByLabelText('Company name');
  return { calls, ...app };
}

/** Saves on the company that was seen alone, as the server does. */
export function savingOn(company: Company) {
  const saved: Record<string, unknown>[] = [];
  const save = async (request: Request) => {
    if (request.headers.get('if-match') !== `"${versionOf(company)}"`)
      return { status: 412, body: { code: 'request/changed-meanwhile', message: 'Changed' } };
    saved.push((await request.clone().json()) as Record<string, unknown>);
    return { body: company };
  };
  return { saved, save };
}
