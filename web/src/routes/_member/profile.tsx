import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/profile')({ component: () => <Page title="profile">{null}</Page> });
