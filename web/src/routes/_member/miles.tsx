import { createFileRoute } from '@tanstack/react-router';
import { Miles } from '../../features/miles/miles.tsx';

export const Route = createFileRoute('/_member/miles')({ component: Miles });
