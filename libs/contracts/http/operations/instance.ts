import { z } from 'zod';
import { liveFramesSchema, liveQuerySchema } from '../live.ts';
import { list } from './operation.ts';

export const instanceOperations = list({
  streamChanges: {
    method: 'get',
    path: '/api/events',
    service: 'gateway',
    access: 'member',
    summary: 'Server-sent events: what changed in the organisation, so that open pages show it.',
    query: liveQuerySchema,
    mediaType: 'text/event-stream',
    answers: { 200: liveFramesSchema },
  },
  readOpenApi: {
    method: 'get',
    path: '/api/openapi.json',
    service: 'gateway',
    access: 'public',
    summary: 'This document.',
    answers: { 200: z.record(z.string(), z.unknown()) },
  },
});
