import * as badges from '../badges.ts';
import { list } from './operation.ts';

export const badgesOperations = list({
  readOwnBadges: {
    method: 'get',
    path: '/api/user/badges',
    service: 'scoring',
    access: 'member',
    summary: 'The badges that the caller has earned, the latest first.',
    answers: { 200: badges.earnedBadgesSchema },
  },
  readBadgeGallery: {
    method: 'get',
    path: '/api/badges/all',
    service: 'scoring',
    access: 'member',
    summary: 'Every badge there is, with the date it was earned or the way to it.',
    answers: { 200: badges.galleryBadgesSchema },
  },
});
