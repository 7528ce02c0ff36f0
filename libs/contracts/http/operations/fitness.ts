import { fitnessStatusSchema } from '../fitness.ts';
import { list } from './operation.ts';

export const fitnessOperations = list({
  readFitnessStatus: {
    method: 'get',
    path: '/api/fitness/status',
    service: 'integrations',
    access: 'member',
    summary: 'Which fitness platforms are connected.',
    answers: { 200: fitnessStatusSchema },
  },
});
