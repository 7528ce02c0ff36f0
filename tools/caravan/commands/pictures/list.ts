export type Picture = {
  readonly name: string;
  readonly path: string;
  readonly as: 'member' | 'admin';
  readonly on: 'phone' | 'desk';
  /** Texts of the web app that the page has to show; without one of them no picture is taken. */
  readonly shows: readonly string[];
};

/** The pictures of README.md and the guides, in docs/images. */
export const pictures: readonly Picture[] = [
  {
    name: 'dashboard-phone',
    path: '/dashboard',
    as: 'member',
    on: 'phone',
    shows: ["This Week's Progress", 'Dashboard', 'Scoreboard', 'Start the timer'],
  },
  { name: 'timer-phone', path: '/timer', as: 'member', on: 'phone', shows: ['Start', 'More', 'Log manually'] },
  { name: 'feed-desk', path: '/feed', as: 'member', on: 'desk', shows: ['All Activity', 'My Activity', 'Team Feed'] },
  {
    name: 'scoreboard-desk',
    path: '/leaderboard',
    as: 'member',
    on: 'desk',
    shows: ['Individual', 'Teams', 'This week'],
  },
  { name: 'journey-desk', path: '/journey', as: 'member', on: 'desk', shows: ['Where we are', 'Whole route'] },
  {
    name: 'admin-desk',
    path: '/admin',
    as: 'admin',
    on: 'desk',
    shows: ['Company Setup', 'Members', 'Invites', 'Ballots', 'Analytics', 'Audit log', 'Streak freezes'],
  },
];
