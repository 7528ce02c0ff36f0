import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Activity, Compass, House, Trophy, UserRound, type LucideIcon } from 'lucide-react';

type Destination = {
  to: '/dashboard' | '/feed' | '/leaderboard' | '/explore' | '/profile';
  /** In the bottom bar. */
  short: MessageDescriptor;
  /** In the header. */
  long: MessageDescriptor;
  icon: LucideIcon;
};

/** The places of the navigation, in both its forms (2.22, 2.25). */
export const destinations: readonly Destination[] = [
  { to: '/dashboard', short: msg`Dashboard`, long: msg`Home`, icon: House },
  { to: '/feed', short: msg`Activity`, long: msg`Feed`, icon: Activity },
  { to: '/leaderboard', short: msg`Scoreboard`, long: msg`Scoreboard`, icon: Trophy },
  { to: '/explore', short: msg`Explore`, long: msg`Explore`, icon: Compass },
  { to: '/profile', short: msg`Profile`, long: msg`Profile`, icon: UserRound },
];

/** True when `path` is that place; the dashboard also stands at `/`. */
export const isAt = (path: string, to: Destination['to']): boolean =>
  path === to || (to === '/dashboard' && path === '/');

const withoutTimerButton = new Set(['/timer', '/profile', '/admin']);

/** The floating button shows everywhere but there (2.28), nor on the lists behind the admins' start. */
export const hasTimerButton = (path: string): boolean => !withoutTimerButton.has(path) && !path.startsWith('/admin/');
