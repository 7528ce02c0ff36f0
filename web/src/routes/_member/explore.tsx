import { createFileRoute } from '@tanstack/react-router';
import { Explore } from '../../features/explore/explore.tsx';

export const Route = createFileRoute('/_member/explore')({ component: Explore });
