import { z } from 'zod';
import { notificationKinds } from '../domain/notification-kinds.ts';
import { pageQuerySchema } from './paging.ts';

export const notificationKindSchema = z.enum(notificationKinds, { error: 'There is no such kind of notification' });

export const notificationSchema = z.object({
  id: z.string(),
  kind: notificationKindSchema,
  /** Plain text, as the reader may be told it now. */
  text: z.string(),
  /** The same in kilometres, where it tells a distance. */
  metricText: z.string().optional(),
  /** What it speaks of, inside the app. */
  link: z.string(),
  /** When something was last added to it. */
  createdAt: z.string(),
  isRead: z.boolean(),
  /** How many things it tells as one. */
  count: z.int(),
});
export type Notification = z.infer<typeof notificationSchema>;

export const notificationsQuerySchema = pageQuerySchema(20);

export const notificationsSchema = z.array(notificationSchema);

export const unreadSchema = z.object({ count: z.int() });
export type Unread = z.infer<typeof unreadSchema>;

const mostAtOnce = 100;
export const markReadRequestSchema = z.union(
  [z.object({ ids: z.array(z.uuid()).min(1).max(mostAtOnce) }), z.object({ all: z.literal(true) })],
  { error: `Say which notifications by their ids, 1 to ${mostAtOnce} of them, or all: true` },
);
export type MarkReadRequest = z.infer<typeof markReadRequestSchema>;

export const mutesSchema = z.object({
  kinds: z.array(notificationKindSchema, { error: 'Kinds are a list' }).max(50, 'At most 50 kinds'),
});
export type Mutes = z.infer<typeof mutesSchema>;
