import { createFileRoute } from '@tanstack/react-router';
import { ImportedWorkouts } from '../../features/devices/workouts.tsx';

export const Route = createFileRoute('/_member/settings_/workouts')({ component: ImportedWorkouts });
