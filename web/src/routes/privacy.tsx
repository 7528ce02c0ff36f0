import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const Route = createFileRoute('/privacy')({ component: () => <Page title="privacy">{null}</Page> });
