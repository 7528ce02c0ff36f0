import { z } from 'zod';
import * as recaps from '../recaps.ts';
import { list } from './operation.ts';

const noRecap = 'There is no such recap.';

export const recapsOperations = list({
  listRecaps: {
    method: 'get',
    path: '/api/recaps',
    service: 'social',
    access: 'member',
    summary: 'The weeks that have a recap, newest first; the next page is in the Link header.',
    query: recaps.recapsQuerySchema,
    answers: { 200: recaps.recapSummariesSchema },
  },
  readRecap: {
    method: 'get',
    path: '/api/recaps/{id}',
    service: 'social',
    access: 'member',
    summary: 'The story of a week, by the id of its recap or by the Monday on which the week began.',
    answers: { 200: recaps.recapSchema },
    refusals: { 404: noRecap },
  },
  engageWithRecap: {
    method: 'post',
    path: '/api/recaps/{id}/engagement',
    service: 'social',
    access: 'member',
    isIdempotent: true,
    summary:
      'Say that one has seen a recap, react to it, say how the week felt, give feedback; one of each, changeable.',
    body: recaps.engagementRequestSchema,
    answers: { 200: recaps.engagementSchema },
    refusals: { 404: noRecap },
  },
  readRecapEffect: {
    method: 'get',
    path: '/api/recaps/{id}/analytics',
    service: 'social',
    access: 'admin',
    summary: 'What a recap did: logins and logs before and after it, and what members had to say, without names.',
    answers: { 200: recaps.recapEffectSchema },
    refusals: { 404: noRecap },
  },
  drawRecap: {
    method: 'get',
    path: '/api/recaps/{id}/picture',
    service: 'social',
    access: 'member',
    summary: 'A picture of the recap to share: teams and figures, and nobody but the reader where they ask for that.',
    query: recaps.pictureQuerySchema,
    mediaType: 'image/png',
    answers: { 200: z.unknown() },
    refusals: { 404: noRecap },
  },
});
