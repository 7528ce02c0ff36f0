import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const Route = createFileRoute('/terms')({ component: () => <Page title="terms">{null}</Page> });
