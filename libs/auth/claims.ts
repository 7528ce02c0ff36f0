import { roleSchema } from '@caravan/contracts/fields';
import type { PersonKey } from '@caravan/contracts/fact-key';
import type { CommandMeta } from '@caravan/event-store/event-store';
import { z } from 'zod';

/** What an access token says; `typ` in its header is `at+jwt`. */
export const claimsSchema = z.object({
  sub: z.uuid(),
  /** Session; a token whose session ended is refused although it has not expired. */
  sid: z.uuid(),
  org: z.uuid(),
  role: roleSchema,
  /** Of somebody who has to confirm an address before the organisation lets them in. */
  guest: z.literal(true).optional(),
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  iat: z.number().int(),
  exp: z.number().int(),
  jti: z.string(),
});
export type Claims = z.infer<typeof claimsSchema>;

/** Who calls, as controllers receive it through `@CurrentCaller()`. */
export type Caller = {
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
  /** As the token says; privileged operations read the role from the database (D3). */
  readonly role: Claims['role'];
  /** The instant of the request: the one place where 'now' is read. */
  readonly at: Date;
  /** Ready for the store: organisation, person, instant, trace. `key` is the person's unless the feature says otherwise. */
  readonly meta: CommandMeta<PersonKey>;
};
