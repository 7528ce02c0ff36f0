import { createFileRoute } from '@tanstack/react-router';
import { Admin } from '../../features/admin/admin.tsx';

export const Route = createFileRoute('/_member/admin')({ component: Admin });
