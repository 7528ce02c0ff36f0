import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/explore')({ component: () => <Page title="explore">{null}</Page> });
