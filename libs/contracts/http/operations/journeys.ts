import { z } from 'zod';
import * as journeys from '../journeys.ts';
import { list } from './operation.ts';

export const journeysOperations = list({
  readJourney: {
    method: 'get',
    path: '/api/journey',
    service: 'scoring',
    access: 'member',
    summary: 'The route that the organisation travels, where its teams stand, and the postcards of the own team.',
    answers: { 200: journeys.journeySchema },
  },
  listRoutes: {
    method: 'get',
    path: '/api/journey/routes',
    service: 'scoring',
    access: 'admin',
    summary: 'Every route that can be travelled, with its checkpoints, the shortest first.',
    answers: { 200: z.array(journeys.routeSchema) },
  },
  startJourney: {
    method: 'put',
    path: '/api/journey',
    service: 'scoring',
    access: 'admin',
    summary: 'Chooses route and start; what teams have earned since the start counts.',
    body: journeys.startJourneyRequestSchema,
    answers: { 200: journeys.journeySchema },
  },
});
