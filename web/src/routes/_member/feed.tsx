import { createFileRoute } from '@tanstack/react-router';
import { Feed } from '../../features/feed/feed.tsx';
import { threadOf } from './-thread-of.tsx';

export const Route = createFileRoute('/_member/feed')({ component: () => <Feed threadOf={threadOf} /> });
