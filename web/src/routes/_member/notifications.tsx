import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '../../features/notifications/notifications.tsx';

export const Route = createFileRoute('/_member/notifications')({ component: Notifications });
