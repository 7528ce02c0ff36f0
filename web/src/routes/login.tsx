import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const Route = createFileRoute('/login')({ component: () => <Page title="login">{null}</Page> });
