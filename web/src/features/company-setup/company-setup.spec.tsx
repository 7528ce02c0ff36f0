import type { Company } from '@caravan/contracts/http/organisations';
import { defaultBranding } from '@caravan/contracts/domain/branding';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';
import { fresh, known, open, press, saving, savingOn } from './testing/open-company-setup.tsx';

async function fillIn(): Promise<void> {
  await userEvent.selectOptions(screen.getByLabelText('Employees'), '51-100');
  await press('Innovative');
  await userEvent.click(screen.getByRole('radio', { name: 'Forest' }));
}

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
  URL.createObjectURL = () => 'blob:logo';
  URL.revokeObjectURL = () => undefined;
  HTMLImageElement.prototype.decode = async () => undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.removeAttribute('style');
});

test('[6.7 D44] a member is led home and nothing is asked of the server', async () => {
  signedInAs();
  const calls = serveApi();
  const { router } = openApp('/company-setup');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(pathsOf(calls)).not.toContain('GET /api/company');
});

test('[1.20 2.17 2.109 2.110] the wizard asks for name, employees, traits, industry, logo and one of six colour pairs', async () => {
  const { router } = await open();
  for (const label of ['Company name', 'Employees', 'Industry (optional)', 'Logo'])
    expect(screen.getByLabelText(label)).toBeDefined();
  const traits = within(screen.getByRole('group', { name: 'Brand traits' })).getAllByRole('button');
  expect(traits.map(({ textContent }) => textContent)).toEqual([
    'Bold',
    'Playful',
    'Purpose-driven',
    'Innovative',
    'Collaborative',
    'Professional',
  ]);
  expect(screen.getAllByRole('radio')).toHaveLength(6);
  await userEvent.click(screen.getByRole('link', { name: 'Skip Setup' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
});

test('what was set up before stands in the form, and unchanged it leaves the logo alone', async () => {
  const { calls } = await open(known);
  expect(screen.getByLabelText<HTMLInputElement>('Company name').value).toBe('Harbour Inc');
  expect(screen.getByLabelText<HTMLSelectElement>('Employees').value).toBe('26-50');
  expect(screen.getByLabelText<HTMLInputElement>('Industry (optional)').value).toBe('Shipping');
  expect(screen.getByRole('img', { name: 'Your logo' }).getAttribute('src')).toBe('/api/logos/1.webp');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Ocean' }).checked).toBe(true);
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).toEqual({
    companyName: 'Harbour Inc',
    employeeRange: '26-50',
    brandTraits: ['bold', 'playful'],
    industry: 'Shipping',
    brandColors: ['#0369a1', '#22d3ee'],
  });
});

test('[5.15 5.16] what is missing is said at its field, the first takes the focus, and nothing is sent', async () => {
  const { calls } = await open({ ...fresh, companyName: '' });
  await press('Complete Setup');
  for (const words of [
    'Company name is required',
    'Select the number of employees',
    'Select at least one brand trait',
    'Select exactly 2 brand colors',
  ])
    expect(await screen.findByText(words)).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Company name')));
  expect(pathsOf(calls)).not.toContain(saving);
  await userEvent.type(screen.getByLabelText('Company name'), 'Harbour');
  expect(screen.queryByText('Company name is required')).toBeNull();
});

test('[5.18 9.14] colours are chosen from six fixed pairs, and the chosen pair is sent', async () => {
  const { calls } = await open();
  await fillIn();
  const group = within(screen.getByRole('group', { name: 'Brand colors' }));
  expect(group.getAllByRole('radio').map((pair) => pair.closest('label')?.textContent)).toEqual([
    'Sunrise',
    'Ocean',
    'Forest',
    'Dusk',
    'Rose',
    'Slate',
  ]);
  expect(document.querySelector('input[type="color"]')).toBeNull();
  await userEvent.click(group.getByRole('radio', { name: 'Dusk' }));
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).toMatchObject({ brandColors: ['#6d28d9', '#f472b6'] });
});

test('[5.17 D44] a fourth trait takes the place of the oldest', async () => {
  await open();
  for (const trait of ['Bold', 'Playful', 'Innovative', 'Professional']) await press(trait);
  const pressed = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
  expect(pressed).toEqual(['Playful', 'Innovative', 'Professional']);
});

test('[7.32 8.14] completing the set-up sends it, says so, leads to the dashboard and colours the product at once', async () => {
  let branding = defaultBranding;
  const { calls, router } = await open(fresh, {
    'GET /api/org/branding': () => ({ body: branding }),
    [saving]: () => {
      branding = { ...defaultBranding, primaryColor: '#15803d' };
      return { body: known };
    },
  });
  await fillIn();
  await press('Complete Setup');
  expect(await noticeOf('Company setup complete!')).toBe('Teams are ready for name voting.');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(await sentTo(calls, saving)).toEqual({
    companyName: 'Harbour Inc',
    employeeRange: '51-100',
    brandTraits: ['innovative'],
    industry: '',
    brandColors: ['#15803d', '#a3e635'],
  });
  expect(document.documentElement.style.getPropertyValue('--brand')).toContain('#15803d');
});

test('[8.12] a failed set-up says so and keeps what was typed; the server’s refusals stand at their fields', async () => {
  const errors = [{ path: 'logoUrl', message: 'The logo is not an image' }];
  await open(fresh, { [saving]: { status: 422, body: { status: 422, message: 'The logo is not an image', errors } } });
  await fillIn();
  await press('Complete Setup');
  expect(await noticeOf('Setup failed')).toBe('Failed to complete company setup. Please try again.');
  expect(screen.getByText('The logo is not an image')).toBeDefined();
  expect(screen.getByLabelText<HTMLSelectElement>('Employees').value).toBe('51-100');
});

test('[5.19] an image file becomes a data URL, is shown, and can be taken away again', async () => {
  const { calls } = await open();
  await fillIn();
  const logo = new File(['logo'], 'logo.png', { type: 'image/png' });
  await userEvent.upload(screen.getByLabelText('Logo'), logo);
  const dataUrl = `data:image/png;base64,${btoa('logo')}`;
  expect((await screen.findByRole('img', { name: 'Your logo' })).getAttribute('src')).toBe(dataUrl);
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).toMatchObject({ logoUrl: dataUrl });
});

test('a logo that is there can be removed', async () => {
  const { calls } = await open(known);
  await press('Remove');
  expect(screen.queryByRole('img', { name: 'Your logo' })).toBeNull();
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(await sentTo(calls, saving)).toMatchObject({ logoUrl: '' });
});

test('a file that is no image is refused', async () => {
  await open();
  fireEvent.change(screen.getByLabelText('Logo'), {
    target: { files: [new File(['a'], 'a.pdf', { type: 'application/pdf' })] },
  });
  expect(await screen.findByText('This file is not an image that can be shown here.')).toBeDefined();
});

test('[S27] an SVG is refused in clear words, and only formats of pixels are offered', async () => {
  await open();
  const input = screen.getByLabelText<HTMLInputElement>('Logo');
  expect(input.accept).toBe('image/png,image/jpeg,image/webp,image/gif');
  fireEvent.change(input, { target: { files: [new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })] } });
  const refusal = 'SVG logos are not taken: save the logo as PNG, JPEG, WebP or GIF.';
  expect(await screen.findByText(refusal)).toBeDefined();
  expect(screen.queryByRole('img', { name: 'Your logo' })).toBeNull();
});

test('what cannot be loaded says so and can be tried again', async () => {
  signedInAs({ role: 'admin' });
  let isBroken = true;
  serveApi({ 'GET /api/company': () => (isBroken ? { status: 500, body: 'Boom' } : { body: known }) });
  openApp('/company-setup');
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByLabelText('Company name')).toBeDefined();
});

test('[5.15 5.18] the colors say that one press selects a pair', async () => {
  await open();
  const colors = screen.getByRole('group', { name: 'Brand colors' });
  expect(colors.textContent).toContain('one press selects both of its colors');
});

test.each([
  ['an admin whose organisation is not set up', 'admin', fresh, true],
  ['an admin whose organisation is set up', 'admin', known, false],
  ['a member', 'member', fresh, false],
] as const)('[2.109 D1] the dashboard of %s', async (_who, role, company, isPointed) => {
  signedInAs({ role });
  const calls = serveApi({ 'GET /api/me': { body: { ...me, role } }, 'GET /api/company': { body: company } });
  openApp('/dashboard');
  await screen.findByText(/No active challenges this week/);
  if (isPointed) await screen.findByRole('region', { name: 'Get your organization going' });
  const prompt = screen.queryByRole('region', { name: 'Get your organization going' });
  expect(prompt !== null).toBe(isPointed);
  if (role === 'member') expect(pathsOf(calls)).not.toContain('GET /api/company');
  if (!prompt) return;
  const ways = within(prompt)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(ways).toEqual(['/company-setup', '/admin/invites']);
  await userEvent.click(within(prompt).getByRole('button', { name: 'Not now' }));
  expect(screen.queryByRole('region', { name: 'Get your organization going' })).toBeNull();
});

test('[7.32 D38] a form that was open while another admin renamed the company keeps the new name', async () => {
  const now: Company = { ...known, companyName: 'Harbour Group' };
  const { saved, save } = savingOn(now);
  let company = known;
  await open(known, { 'GET /api/company': () => ({ body: company }), [saving]: save });
  company = now;
  fireEvent.change(screen.getByLabelText('Industry (optional)'), { target: { value: 'Ferries' } });
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(saved).toMatchObject([{ companyName: 'Harbour Group', industry: 'Ferries' }]);
});

test('[7.32 D38] where two admins have changed the same field the form says to what, and the next save is one’s own', async () => {
  const now: Company = { ...known, companyName: 'Harbour Group', welcomeMessage: 'Ahoy!' };
  const { saved, save } = savingOn(now);
  let company = known;
  await open(known, { 'GET /api/company': () => ({ body: company }), [saving]: save });
  company = now;
  fireEvent.change(screen.getByLabelText('Company name'), { target: { value: 'Harbour Ltd' } });
  await press('Complete Setup');
  await screen.findByText('Somebody else has changed this to “Harbour Group” meanwhile. Save again to keep yours.');
  expect(saved).toEqual([]);
  expect(screen.getByLabelText<HTMLInputElement>('Welcome message (optional)').value).toBe('Ahoy!');
  await press('Complete Setup');
  await noticeOf('Company setup complete!');
  expect(saved).toMatchObject([{ companyName: 'Harbour Ltd' }]);
});
