import * as people from '../people.ts';
import { pageQuerySchema } from '../paging.ts';
import { list } from './operation.ts';

export const peopleOperations = list({
  readUser: {
    method: 'get',
    path: '/api/users/{id}',
    service: 'identity',
    access: 'member',
    summary: 'A colleague’s profile.',
    answers: { 200: people.userProfileSchema },
    refusals: { 404: 'There is no such profile, or it is hidden.' },
  },
  follow: {
    method: 'put',
    path: '/api/users/{id}/follow',
    service: 'identity',
    access: 'member',
    summary: 'Follow a colleague; repeating changes nothing.',
    answers: { 200: people.followAnswerSchema },
    refusals: { 404: 'There is no such profile, or it is hidden.', 422: 'One cannot follow oneself.' },
  },
  unfollow: {
    method: 'delete',
    path: '/api/users/{id}/follow',
    service: 'identity',
    access: 'member',
    summary: 'Follow a colleague no more; repeating changes nothing.',
    answers: { 200: people.followAnswerSchema },
    refusals: { 404: 'There is no such profile, or it is hidden.' },
  },
  listFollowers: {
    method: 'get',
    path: '/api/users/{id}/followers',
    service: 'identity',
    access: 'member',
    summary: 'Who follows somebody, the latest first.',
    query: pageQuerySchema(25),
    answers: { 200: people.personRowsSchema },
    refusals: { 404: 'There is no such profile, or it is hidden.' },
  },
  listFollowing: {
    method: 'get',
    path: '/api/users/{id}/following',
    service: 'identity',
    access: 'member',
    summary: 'Whom somebody follows, the latest first.',
    query: pageQuerySchema(25),
    answers: { 200: people.personRowsSchema },
    refusals: { 404: 'There is no such profile, or it is hidden.' },
  },
});
