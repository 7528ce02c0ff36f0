import { createFileRoute } from '@tanstack/react-router';
import { NoticeKinds } from '../../features/notifications/notice-kinds.tsx';

export const Route = createFileRoute('/_member/settings_/notifications')({ component: NoticeKinds });
