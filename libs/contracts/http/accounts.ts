import { z } from 'zod';
import { activityLevelSchema, opaqueText, roleSchema, timeZoneSchema, typedText } from '../events/fields.ts';
import { asciiAddress, longestAddress } from '../domain/text/email-address.ts';
import { passwordCriteria, passwordTooShort, passwordTooSimple } from '../domain/text/password.ts';

const kinds = passwordCriteria.flatMap((criterion) => ('characters' in criterion ? criterion.characters : []));

/** Taken as typed: no trimming, no truncation. */
export const newPasswordSchema = z
  .string({ error: passwordTooShort })
  .refine((password) => [...password].length >= 8, { error: passwordTooShort, abort: true })
  .refine((password) => [...password].length <= 128, { error: 'Password must be at most 128 characters', abort: true })
  .refine((password) => passwordCriteria.every((criterion) => criterion.holds(password)), passwordTooSimple)
  .meta({
    format: 'password',
    description: 'Letters, digits and signs of any script count; what is easily guessed may be refused.',
    minLength: 8,
    maxLength: 128,
    pattern: `^${kinds.map((characters) => String.raw`(?=[\s\S]*${characters})`).join('')}`,
  });

const invalidAddress = 'Invalid email address';

/** Taken in any script, and stored as mail servers know it. */
export const emailSchema = z
  .string({ error: invalidAddress })
  .trim()
  .transform((typed, context) => {
    const address = asciiAddress(typed);
    if (address === undefined) context.addIssue(invalidAddress);
    return address ?? typed;
  })
  .pipe(z.string())
  .meta({ format: 'idn-email', maxLength: longestAddress });

export const personNameSchema = typedText(80, {
  required: 'Name is required',
  tooLong: 'Name must be at most 80 characters',
});

export const signupRequestSchema = z.object({
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  invite: opaqueText(64, 'code').optional(),
  organizationName: typedText(80, {
    required: 'Organisation name is required',
    tooLong: 'Organisation name must be at most 80 characters',
  }).optional(),
  timeZone: timeZoneSchema.optional(),
});
export type SignupRequest = z.infer<typeof signupRequestSchema>;

/** A password that is there already, whatever the rules were then. */
export const currentPasswordSchema = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(1024)
  .meta({ format: 'password' });

export const loginRequestSchema = z.object({
  email: emailSchema,
  password: currentPasswordSchema,
});
export type LoginRequest = z.infer<typeof loginRequestSchema>;

export const forgotPasswordRequestSchema = z.object({ email: emailSchema });
export type ForgotPasswordRequest = z.infer<typeof forgotPasswordRequestSchema>;

export const resetPasswordRequestSchema = z.object({
  token: z
    .string({ error: 'Reset token is required' })
    .trim()
    .min(1, 'Reset token is required')
    .max(200)
    .meta({ format: 'token', pattern: '^[\\w-]+$' }),
  password: newPasswordSchema,
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequestSchema>;

export const linkTokenRequestSchema = z.object({
  token: z
    .string({ error: 'Token is required' })
    .trim()
    .min(1, 'Token is required')
    .max(200)
    .meta({ format: 'token', pattern: String.raw`\S` }),
});
export type LinkTokenRequest = z.infer<typeof linkTokenRequestSchema>;

export const messageAnswerSchema = z.object({ message: z.string() });
export type MessageAnswer = z.infer<typeof messageAnswerSchema>;

export const teamRefSchema = z.object({ id: z.string(), name: z.string(), emoji: z.string() });

export const sessionUserSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  profilePhotoUrl: z.string().nullable(),
});
export type SessionUser = z.infer<typeof sessionUserSchema>;

export const sessionAnswerSchema = z.object({ token: z.string(), user: sessionUserSchema });
export type SessionAnswer = z.infer<typeof sessionAnswerSchema>;

export const signupAnswerSchema = sessionAnswerSchema.extend({ assignedTeam: teamRefSchema });
export type SignupAnswer = z.infer<typeof signupAnswerSchema>;

export const emptyBodySchema = z.object({});
export const logoutAnswerSchema = z.object({ loggedOut: z.literal(true) });

export const meSchema = sessionUserSchema.extend({
  team: teamRefSchema,
  totalMiles: z.number(),
  activityLevel: activityLevelSchema,
  streakCount: z.number().int(),
  streakState: z.enum(['lit', 'at-risk', 'frozen', 'out']),
  /** On the member's date; null where the organisation does without (D11). */
  streakFreezes: z.number().int().min(0).max(2).nullable(),
  lastActivityDate: z.string().nullable(),
  hasVotedThisChallenge: z.boolean(),
  timeZone: z.string(),
  bio: z.string(),
  location: z.string(),
  favoriteActivity: z.string(),
  isEmailConfirmed: z.boolean(),
  /** Takes the place of `email` once its mailed link is opened. */
  pendingEmail: z.string().nullable(),
  isGuest: z.boolean(),
});
export type Me = z.infer<typeof meSchema>;

export const activityLevelRequestSchema = z.object({ activityLevel: activityLevelSchema });
export const activityLevelAnswerSchema = z.object({ activityLevel: activityLevelSchema });

export const brandingSchema = z.object({
  primaryColor: z.string().regex(/^#[0-9a-f]{6}$/),
  /** The second of `brandColors`; absent while the company has chosen none. */
  secondaryColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .optional(),
  welcomeMessage: z.string(),
  name: z.string(),
  logoUrl: z.string().nullable(),
});
export type Branding = z.infer<typeof brandingSchema>;
