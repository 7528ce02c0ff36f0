import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Api, me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { currentSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';
import { serveStorage } from './testing/transfers.ts';

const setting = 'PUT /api/me/photo';
const removing = 'DELETE /api/me/photo';
const face = '/objects/photos/p1/280.webp?signature=s1';
const another = '/objects/photos/p2/280.webp?signature=s2';

async function open(profilePhotoUrl: string | null, api: Api = {}) {
  let isOf = profilePhotoUrl;
  const become = (url: string | null) => () => ({ body: { profilePhotoUrl: (isOf = url) } });
  signedInAs({ profilePhotoUrl });
  const device = { connected: false, lastSync: null };
  const calls = serveApi({
    'GET /api/me': () => ({ body: { ...me, profilePhotoUrl: isOf } }),
    'GET /api/me/sessions': { body: [] },
    'GET /api/fitness/status': { body: {} },
    'GET /api/me/settings': {
      body: {
        profile: { name: 'Maya Okafor', email: 'maya@example.org', phone: '', bio: '' },
        notifications: { email: true, push: true, teamUpdates: true, weeklyReports: false },
        privacy: { profileVisible: true, activityVisible: true, statsVisible: true },
        preferences: { darkMode: false, theme: 'system', units: 'imperial' },
        fitnessDevices: { appleWatch: device, googleFit: device, strava: device },
      },
    },
    'POST /api/objects/upload': { body: { uploadURL: 'http://localhost:3000/objects/incoming/o1/u1/f1?s=1' } },
    'PUT /api/workout-photos': { body: { objectPath: '/objects/photos/p2', previewUrl: another } },
    [setting]: become(another),
    [removing]: become(null),
    ...api,
  });
  const app = openApp('/settings');
  return { calls, group: within(await screen.findByRole('group', { name: 'Profile photo' })), ...app };
}

/** What is stored for the next start, and what this one shows. */
const keptPhoto = () => ({
  now: currentSession().user?.profilePhotoUrl,
  stored: (JSON.parse(localStorage.getItem('user') ?? '{}') as { profilePhotoUrl?: unknown }).profilePhotoUrl,
});

beforeEach(() => {
  toast({ title: 'Nothing yet' });
  serveStorage();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('[3.2 3.8 D53] an uploaded picture is one’s own at once, here and after a reload', async () => {
  const { calls, group, queryClient } = await open(null);
  expect(group.queryByRole('button', { name: 'Remove profile photo' })).toBeNull();
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  await userEvent.click(group.getByRole('button', { name: 'Add a profile photo' }));
  const panel = await screen.findByRole('dialog', { name: 'Profile photo' });
  const field = panel.querySelector('input[name="files[]"]:not([webkitdirectory])');
  if (!field) throw new Error('The panel has no field for files');
  fireEvent.change(field, { target: { files: [new File(['pixels'], 'maya.png', { type: 'image/png' })] } });
  await userEvent.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await screen.findByText('Profile photo updated', { selector: 'li *' });
  expect(await sentTo(calls, setting)).toEqual({ objectPath: '/objects/photos/p2' });
  expect(keptPhoto()).toEqual({ now: another, stored: another });
  const asked = invalidate.mock.calls.map(([filter]) => filter?.queryKey?.[0]);
  expect(asked).toEqual(expect.arrayContaining(['/api/me', '/api/leaderboard', '/api/feed', '/api/users']));
});

test('[D53] one press takes it away', async () => {
  const { calls, group } = await open(face);
  await waitFor(() => expect(keptPhoto().now).toBe(face));
  await userEvent.click(await group.findByRole('button', { name: 'Remove profile photo' }));
  await screen.findByText('Profile photo removed', { selector: 'li *' });
  expect(pathsOf(calls)).toContain(removing);
  expect(keptPhoto()).toEqual({ now: null, stored: null });
  await waitFor(() => expect(group.queryByRole('button', { name: 'Remove profile photo' })).toBeNull());
  expect(document.activeElement).toBe(group.getByRole('button', { name: 'Add a profile photo' }));
});

test('a picture that cannot be changed stays, and the server says why', async () => {
  const { group } = await open(face, { [removing]: { status: 503, body: { message: 'Away for a moment' } } });
  await userEvent.click(await group.findByRole('button', { name: 'Remove profile photo' }));
  expect(await noticeOf('Error')).toBe('Away for a moment');
  expect(keptPhoto().now).toBe(face);
});
