import { feedSchema } from '../feed.ts';
import { pageQuerySchema } from '../paging.ts';
import { list } from './operation.ts';

export const feedOperations = list({
  readFeedOfAll: {
    method: 'get',
    path: '/api/feed/all',
    service: 'social',
    access: 'member',
    summary: 'What the organisation logged, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
  readFeedOfTeam: {
    method: 'get',
    path: '/api/feed/team',
    service: 'social',
    access: 'member',
    summary: 'What the own team logged, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
  readOwnFeed: {
    method: 'get',
    path: '/api/feed/mine',
    service: 'social',
    access: 'member',
    summary: 'What one logged oneself, newest first.',
    query: pageQuerySchema(10),
    answers: { 200: feedSchema },
  },
});
