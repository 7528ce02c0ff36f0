import { createFileRoute } from '@tanstack/react-router';
import { Profile } from '../../features/profile/profile.tsx';

export const Route = createFileRoute('/_member/profile')({ component: Profile });
