import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_member/admin')({ component: () => <Page title="admin">{null}</Page> });
