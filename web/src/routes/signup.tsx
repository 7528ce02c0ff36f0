import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const Route = createFileRoute('/signup')({ component: () => <Page title="signup">{null}</Page> });
