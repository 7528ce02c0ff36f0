import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export type TimerSearch = { preset?: string; duration?: string; activity?: string; bonusChallenge?: string };

export const Route = createFileRoute('/_member/timer')({
  validateSearch: ({ preset, duration, activity, bonusChallenge }: TimerSearch): TimerSearch => ({
    ...(preset !== undefined && { preset }),
    ...(duration !== undefined && { duration }),
    ...(activity !== undefined && { activity }),
    ...(bonusChallenge !== undefined && { bonusChallenge }),
  }),
  component: () => <Page title="Timer">{null}</Page>,
});
