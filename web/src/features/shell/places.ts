/** Where the navigation leads, in both its forms (2.22, 2.25). */
export type Place = '/dashboard' | '/feed' | '/leaderboard' | '/explore' | '/profile';

/** True when `path` is that place; the dashboard also stands at `/`. */
export const isAt = (path: string, to: Place): boolean => path === to || (to === '/dashboard' && path === '/');

const withoutTimerButton: ReadonlySet<string> = new Set(['/timer', '/profile', '/admin']);

/** The floating button shows everywhere but there (2.28), nor on the lists behind the admins' start. */
export const hasTimerButton = (path: string): boolean => !withoutTimerButton.has(path) && !path.startsWith('/admin/');
