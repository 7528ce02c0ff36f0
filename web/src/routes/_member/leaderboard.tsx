import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/leaderboard')({
  component: () => <Page title="leaderboard">{null}</Page>,
});
