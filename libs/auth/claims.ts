import { roleSchema } from '@caravan/contracts/events/fields';
import type { PersonKey } from '@caravan/contracts/events/fact-key';
import type { CommandMeta } from '@caravan/event-store/core/event-store';
import { z } from 'zod';

export const claimsSchema = z.object({
  sub: z.uuid(),
  sid: z.uuid(),
  org: z.uuid(),
  role: roleSchema,
  guest: z.literal(true).optional(),
  /** True in a token of background work for a member. No session asked for it, `sid` names the work, and it opens the routes of that work only. */
  errand: z.literal('my-data').optional(),
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  iat: z.number().int(),
  exp: z.number().int(),
  jti: z.string(),
});
export type Claims = z.infer<typeof claimsSchema>;

export type Caller = {
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
  /** As the token says; privileged operations read the role from the database (D3). */
  readonly role: Claims['role'];
  readonly at: Date;
  readonly meta: CommandMeta<PersonKey>;
};
