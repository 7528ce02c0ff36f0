import { createFileRoute } from '@tanstack/react-router';
import { Recaps } from '../../features/recaps/recaps.tsx';

export const Route = createFileRoute('/_member/recaps')({ component: Recaps });
