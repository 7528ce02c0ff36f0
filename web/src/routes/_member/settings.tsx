import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/settings')({ component: () => <Page title="settings">{null}</Page> });
