import { z } from 'zod';

/** What changed for the people of an organisation; a client refetches what it shows of it (D35). */
export const liveKinds = [
  'me',
  'stats',
  'board',
  'feed',
  'logs',
  'branding',
  'people',
  'members',
  'teams',
  'badges',
  'challenges',
  'journey',
] as const;
export type LiveKind = (typeof liveKinds)[number];

export const liveMessageSchema = z.object({
  kinds: z.array(z.enum(liveKinds)),
  /** What changed for members of some teams only, by team. */
  teams: z.record(z.uuid(), z.array(z.enum(liveKinds))).optional(),
  /**
   * In the last message of a stream that the server ends. `replaced`: the person opened more pages than are kept (D38);
   * come back when the person does. `stopping`: come back after the time of the frame's `retry`.
   */
  ended: z.enum(['replaced', 'stopping']).optional(),
});
export type LiveMessage = z.infer<typeof liveMessageSchema>;

/** The stream as text: a wish for the time until a new try, signs of life, and messages with rising ids. */
export const liveFramesSchema = z
  .string()
  .regex(/^(retry: \d+\n\n|: [^\n]*\n\n|id: \d+\ndata: \{[^\n]*\}\n\n)*$/)
  .meta({
    description: 'Server-sent events. The data of each is a JSON object as described under x-data.',
    examples: ['retry: 1000\n\n: open\n\nid: 1\ndata: {"kinds":["board","feed"]}\n\n: still here\n\n'],
    'x-data': z.toJSONSchema(liveMessageSchema),
  });

/** What a service tells the gateways: `kinds` for every open page of the organisation, more for some people's own. */
export const liveAnnouncementSchema = liveMessageSchema.omit({ ended: true }).extend({
  persons: z.record(z.uuid(), z.array(z.enum(liveKinds))).optional(),
});
export type LiveAnnouncement = z.infer<typeof liveAnnouncementSchema>;
