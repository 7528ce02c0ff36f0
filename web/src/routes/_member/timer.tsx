import { createFileRoute } from '@tanstack/react-router';
import { PhotoChoice } from '../../features/photos/photo-choice.tsx';
import { Timer } from '../../features/timer/timer.tsx';
import type { TimerSearch } from '../../features/timer/preset.ts';
import { bonusChallengeQuery } from '../../lib/bonus-challenge.ts';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/timer')({
  validateSearch: ({ preset, duration, activity, bonusChallenge }: TimerSearch): TimerSearch => ({
    ...(preset !== undefined && { preset }),
    ...(duration !== undefined && { duration }),
    ...(activity !== undefined && { activity }),
    ...(bonusChallenge !== undefined && { bonusChallenge }),
  }),
  // The log forms offer the open bonus challenge: known in advance, it pushes nothing down.
  loader: ({ context: { queryClient } }) => inAdvance(queryClient, bonusChallengeQuery),
  component: TimerRoute,
});

function TimerRoute() {
  const search = Route.useSearch();
  // Another address is another wish.
  return <Timer key={JSON.stringify(search)} search={search} PhotoChoice={PhotoChoice} />;
}
