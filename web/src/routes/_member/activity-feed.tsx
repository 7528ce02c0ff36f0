import { createFileRoute } from '@tanstack/react-router';
import { ActivityFeed } from '../../features/feed/activity-feed.tsx';
import { threadOf } from './-thread-of.tsx';

export const Route = createFileRoute('/_member/activity-feed')({
  component: () => <ActivityFeed threadOf={threadOf} />,
});
