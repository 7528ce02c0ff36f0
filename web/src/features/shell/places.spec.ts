import { expect, test } from 'vitest';
import { hasTimerButton, isAt } from './places.ts';

test('[2.28] the floating button shows everywhere but on the timer, the profile and what admins do', () => {
  for (const path of ['/', '/dashboard', '/feed', '/journey', '/settings', '/user/u1', '/administrators'])
    expect([path, hasTimerButton(path)]).toEqual([path, true]);
  for (const path of ['/timer', '/profile', '/admin', '/admin/teams', '/admin/members'])
    expect([path, hasTimerButton(path)]).toEqual([path, false]);
});

test('[2.22 2.25] a place is current where it is shown, the dashboard at the start too', () => {
  expect([isAt('/', '/dashboard'), isAt('/dashboard', '/dashboard'), isAt('/feed', '/feed')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isAt('/', '/feed'), isAt('/feed/p1', '/feed'), isAt('/dashboards', '/dashboard')]).toEqual([
    false,
    false,
    false,
  ]);
});
