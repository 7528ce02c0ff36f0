import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/feed')({ component: () => <Page title="feed">{null}</Page> });
