import type { Analytics, RecapsEffect } from '@caravan/contracts/http/analytics';

const exactly = (count: number) => ({ atLeast: count, atMost: count });

/** Two weeks of 24 members in two teams. */
export const figures: Analytics = {
  weeks: 2,
  from: '2026-11-09',
  until: '2026-11-22',
  members: 24,
  participation: [
    { weekStartsOn: '2026-11-09', members: 24, moved: { atLeast: 20, atMost: 23 } },
    { weekStartsOn: '2026-11-16', members: 24, moved: exactly(14) },
  ],
  retention: [
    {
      firstWeek: '2026-10-26',
      lastWeek: '2026-11-02',
      people: 12,
      moved: [exactly(6), { atLeast: 1, atMost: 4 }],
    },
  ],
  logs: {
    weeks: [
      { weekStartsOn: '2026-11-09', logs: 38, days: [10, 8, 5, 5, 5, 5, 0] },
      { weekStartsOn: '2026-11-16', logs: 23, days: [0, 14, null, null, 0, 0, 0] },
    ],
    total: 61,
    activities: [{ activity: 'Walking', logs: 38 }],
    others: 23,
  },
  teams: [
    {
      names: [{ name: 'Thunder', emoji: '⚡' }],
      members: 12,
      participation: { atLeast: 60, atMost: 85 },
      milesPerMemberAndWeek: 4.25,
    },
    {
      names: [
        { name: 'Blazers', emoji: '🔥' },
        { name: 'Owls', emoji: '🦉' },
      ],
      members: 12,
      participation: { atLeast: 0, atMost: 100 },
      milesPerMemberAndWeek: null,
    },
  ],
  challenges: { completed: { ...exactly(85), times: 50 }, others: null },
};

export const recapsEffect: RecapsEffect = {
  recaps: 2,
  read: { atLeast: 80, atMost: 100, times: 40 },
  others: { ...exactly(55), times: 20 },
};

/** An organisation in which nothing may be told yet. */
export const few: Analytics = {
  weeks: 1,
  from: '2026-11-16',
  until: '2026-11-22',
  members: null,
  participation: [],
  retention: [],
  teams: [],
  challenges: { completed: null, others: null },
  logs: { weeks: [], total: 0, activities: [], others: 0 },
};
