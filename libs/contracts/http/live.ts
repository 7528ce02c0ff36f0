import { z } from 'zod';

/** What changed for the people of an organisation; a client refetches what it shows of it (D35). */
export const liveKinds = ['me', 'stats', 'board', 'feed', 'logs', 'branding', 'people', 'members', 'teams'] as const;
export type LiveKind = (typeof liveKinds)[number];

export const liveMessageSchema = z.object({ kinds: z.array(z.enum(liveKinds)) });
export type LiveMessage = z.infer<typeof liveMessageSchema>;
