import * as notifications from '../notifications.ts';
import { list } from './operation.ts';

export const notificationsOperations = list({
  listNotifications: {
    method: 'get',
    path: '/api/notifications',
    service: 'social',
    access: 'member',
    summary: 'What one has been notified of in the last 90 days, newest first; the next page is in the Link header.',
    query: notifications.notificationsQuerySchema,
    answers: { 200: notifications.notificationsSchema },
  },
  countUnreadNotifications: {
    method: 'get',
    path: '/api/notifications/unread',
    service: 'social',
    access: 'member',
    summary: 'How many notifications are unread.',
    answers: { 200: notifications.unreadSchema },
  },
  markNotificationsRead: {
    method: 'post',
    path: '/api/notifications/read',
    service: 'social',
    access: 'member',
    summary: 'Mark notifications as read, by their ids or all; repeating changes nothing. Answers how many are unread.',
    body: notifications.markReadRequestSchema,
    answers: { 200: notifications.unreadSchema },
    refusals: { 404: 'One of them is no notification of one’s own; none is marked.' },
  },
  readNotificationMutes: {
    method: 'get',
    path: '/api/notifications/mutes',
    service: 'social',
    access: 'member',
    summary: 'Of which kinds one is not notified.',
    answers: { 200: notifications.mutesSchema },
  },
  muteNotifications: {
    method: 'put',
    path: '/api/notifications/mutes',
    service: 'social',
    access: 'member',
    isVersioned: true,
    summary: 'Choose of which kinds one is not notified; unread ones of these count as read.',
    body: notifications.mutesSchema,
    answers: { 200: notifications.mutesSchema },
  },
});
