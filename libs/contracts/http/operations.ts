import { accountsOperations } from './operations/accounts.ts';
import { analyticsOperations } from './operations/analytics.ts';
import { auditOperations } from './operations/audit.ts';
import { badgesOperations } from './operations/badges.ts';
import { ballotsOperations } from './operations/ballots.ts';
import { challengesOperations } from './operations/challenges.ts';
import { commentsOperations } from './operations/comments.ts';
import { companionOperations } from './operations/companion.ts';
import { deliveriesOperations } from './operations/deliveries.ts';
import { feedOperations } from './operations/feed.ts';
import { fitnessOperations } from './operations/fitness.ts';
import { fitnessWebhooksOperations } from './operations/fitness-webhooks.ts';
import { instanceOperations } from './operations/instance.ts';
import { journeysOperations } from './operations/journeys.ts';
import { meOperations } from './operations/me.ts';
import { movementOperations } from './operations/movement.ts';
import { notificationsOperations } from './operations/notifications.ts';
import { organisationsOperations } from './operations/organisations.ts';
import { peopleOperations } from './operations/people.ts';
import { photosOperations } from './operations/photos.ts';
import { recapsOperations } from './operations/recaps.ts';
import { scoresOperations } from './operations/scores.ts';

export const operations = {
  ...accountsOperations,
  ...meOperations,
  ...deliveriesOperations,
  ...peopleOperations,
  ...organisationsOperations,
  ...auditOperations,
  ...analyticsOperations,
  ...movementOperations,
  ...photosOperations,
  ...companionOperations,
  ...scoresOperations,
  ...challengesOperations,
  ...badgesOperations,
  ...journeysOperations,
  ...feedOperations,
  ...ballotsOperations,
  ...commentsOperations,
  ...notificationsOperations,
  ...recapsOperations,
  ...fitnessOperations,
  ...fitnessWebhooksOperations,
  ...instanceOperations,
};
