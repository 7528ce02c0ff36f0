import { z } from 'zod';
import { asciiDomain } from '../domain/text/email-address.ts';
import {
  localDateSchema,
  roleSchema,
  opaqueText,
  timeZoneSchema,
  typedInstantSchema,
  typedText,
} from '../events/fields.ts';
import { teamRefSchema } from './accounts.ts';
import { pageQuerySchema } from './paging.ts';

export const employeeRanges = ['1-25', '26-50', '51-100', '101-250', '251+'] as const;
export const brandTraits = [
  'bold',
  'playful',
  'purpose-driven',
  'innovative',
  'collaborative',
  'professional',
] as const;

const colourSchema = z
  .string({ error: 'Select exactly 2 brand colors' })
  .regex(/^#[0-9a-fA-F]{6}$/, 'Colors are written as #rrggbb')
  .toLowerCase()
  .meta({ format: 'colour' });

export const companyNameSchema = typedText(80, {
  required: 'Company name is required',
  tooLong: 'Company name must be at most 80 characters',
});

/** About 700 kB of image in base64: what fits into the 1 MB body (D38). */
const longestLogoCharacters = 960_000;
export const logoNotReadable = 'The logo is not an image we can read';
export const logoNotVector = 'SVG logos are not taken: save the logo as PNG, JPEG, WebP or GIF';

export const companySetupRequestSchema = z.object({
  companyName: companyNameSchema,
  employeeRange: z.enum(employeeRanges, { error: 'Select the number of employees' }),
  brandTraits: z
    .array(z.enum(brandTraits, { error: 'Unknown brand trait' }), { error: 'Select at least one brand trait' })
    .transform((traits) => [...new Set(traits)])
    .refine((traits) => traits.length >= 1, 'Select at least one brand trait')
    .refine((traits) => traits.length <= 3, 'Select up to 3 brand traits')
    .meta({ minItems: 1, maxItems: 3, uniqueItems: true }),
  industry: typedText(80, { tooLong: 'Industry must be at most 80 characters' }).optional(),
  /** A data URL of a PNG, JPEG, WebP or GIF; '' removes the logo. SVG is refused: it would have to be rendered. */
  logoUrl: z
    .string({ error: logoNotReadable })
    .max(longestLogoCharacters, { error: 'The logo must be smaller than 700 kB', abort: true })
    .regex(/^(data:image\/(png|jpe?g|webp|gif);base64,[A-Za-z0-9+/]+={0,2})?$/, {
      error: ({ input }) => (/^data:image\/svg/i.test(String(input)) ? logoNotVector : logoNotReadable),
    })
    .meta({ format: 'data-url' })
    .nullish(),
  brandColors: z
    .array(colourSchema, { error: 'Select exactly 2 brand colors' })
    .length(2, 'Select exactly 2 brand colors'),
  /** '' brings the product's own words back. */
  welcomeMessage: typedText(120, { tooLong: 'Welcome message must be at most 120 characters' }).optional(),
  /** Another one than now holds from a Monday to come; the present one withdraws a change that is to come (D10). */
  timeZone: timeZoneSchema.optional(),
});
export type CompanySetupRequest = z.infer<typeof companySetupRequestSchema>;

export const companySchema = z.object({
  companyName: z.string(),
  employeeRange: z.enum(employeeRanges).nullable(),
  brandTraits: z.array(z.enum(brandTraits)),
  industry: z.string(),
  logoUrl: z.string().nullable(),
  brandColors: z.array(z.string()),
  welcomeMessage: z.string(),
  setUpAt: z.string().nullable(),
  /** IANA name; the organisation's weeks begin on Monday at 00:00 there (D10). */
  timeZone: z.string().optional(),
  /** The time zone that takes its place, and the Monday from which it holds there; null: none. */
  comingTimeZone: z.object({ timeZone: z.string(), from: localDateSchema }).nullish(),
});
export type Company = z.infer<typeof companySchema>;

export const streakRuleSchema = z.object({
  hasFreezes: z.boolean({ error: 'hasFreezes is true or false' }),
});
export type StreakRule = z.infer<typeof streakRuleSchema>;

export const teamNameSchema = typedText(40, {
  required: 'Team name is required',
  tooLong: 'Team name must be at most 40 characters',
});
const teamEmojiSchema = z
  .string({ error: 'Choose an emoji' })
  .trim()
  .refine((emoji) => /^\p{RGI_Emoji}$/v.test(emoji), 'Choose one emoji')
  .meta({
    format: 'emoji',
    description: 'One emoji, whatever it is made of; the pattern has those of one code point.',
    pattern: '^[⌚⚡⭐🌀-🌠🌭-🌵🌷-🍼🍾-🎓🎠-🏊🏏-🏓🏠-🏰🐀-🐾👂-📼📿-🔽🗻-🙏🚀-🛅🤌-🤺🤼-🥅🥇-🧿]$',
  });

export const formTeamRequestSchema = z.object({ name: teamNameSchema, emoji: teamEmojiSchema });
export type FormTeamRequest = z.infer<typeof formTeamRequestSchema>;

export const changeTeamRequestSchema = z.object({
  name: teamNameSchema.optional(),
  emoji: teamEmojiSchema.optional(),
  retired: z.boolean({ error: 'retired is true or false' }).optional(),
});
export type ChangeTeamRequest = z.infer<typeof changeTeamRequestSchema>;

export const managedTeamSchema = teamRefSchema.extend({
  memberCount: z.number().int(),
  retired: z.boolean(),
  formedAt: z.string(),
});
export const managedTeamsSchema = z.array(managedTeamSchema);
export type ManagedTeam = z.infer<typeof managedTeamSchema>;

export const memberSorts = ['name', '-name', 'joined', '-joined', 'miles', '-miles', 'active', '-active'] as const;

export const membersQuerySchema = pageQuerySchema(25).extend({
  q: typedText(100).optional(),
  teamId: opaqueText(64, 'id').optional(),
  role: roleSchema.optional(),
  status: z.enum(['active', 'inactive'], { error: 'status must be active or inactive' }).optional(),
  sort: z.enum(memberSorts, { error: `sort must be one of ${memberSorts.join(', ')}` }).default('name'),
  /** Holds a name where the list is sorted by it. */
  cursor: z.string().max(1_200).optional(),
});
export type MembersQuery = z.infer<typeof membersQuerySchema>;

export const managedMemberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  team: teamRefSchema,
  isActive: z.boolean(),
  isEmailConfirmed: z.boolean(),
  totalMiles: z.number(),
  lastActivityDate: localDateSchema.nullable(),
  joinedAt: z.string(),
});
export const managedMembersSchema = z.array(managedMemberSchema);
export type ManagedMember = z.infer<typeof managedMemberSchema>;

export const changeMemberRequestSchema = z.object({
  role: z.enum(['member', 'admin'], { error: 'Role must be member or admin' }).optional(),
  teamId: opaqueText(64, 'id').optional(),
  isActive: z.boolean({ error: 'isActive is true or false' }).optional(),
});
export type ChangeMemberRequest = z.infer<typeof changeMemberRequestSchema>;

export const createInviteRequestSchema = z.object({
  /** Absent: in fourteen days. At most a year ahead. */
  expiresAt: typedInstantSchema.optional(),
  maxUses: z
    .number({ error: 'Uses must be a whole number' })
    .int('Uses must be a whole number')
    .min(1, 'An invite must allow at least one use')
    .max(100_000, 'An invite allows at most 100000 uses')
    .nullish(),
  domains: z
    .array(
      z
        .string()
        .trim()
        .transform((typed, context) => {
          const domain = asciiDomain(typed.replace(/^@/, ''));
          if (domain === undefined) context.addIssue('Not an e-mail domain');
          return (domain ?? typed).toLowerCase();
        })
        .pipe(z.string())
        .meta({ format: 'idn-hostname', maxLength: 253 }),
    )
    .max(20, 'At most 20 domains')
    .default([]),
  teamId: opaqueText(64, 'id').nullish(),
});
export type CreateInviteRequest = z.infer<typeof createInviteRequestSchema>;

export const inviteSchema = z.object({
  id: z.string(),
  code: z.string(),
  url: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  maxUses: z.number().int().nullable(),
  uses: z.number().int(),
  domains: z.array(z.string()),
  teamId: z.string().nullable(),
  state: z.enum(['open', 'expired', 'used-up', 'revoked']),
});
export const invitesSchema = z.array(inviteSchema);
export type Invite = z.infer<typeof inviteSchema>;

export const invitationQuerySchema = z.object({
  code: z
    .string({ error: 'code is required' })
    .trim()
    .min(1, 'code is required')
    .max(64, 'code is too long')
    .meta({ pattern: String.raw`\S` }),
});

export const invitationSchema = z.object({ organizationName: z.string(), logoUrl: z.string().nullable() });
export type Invitation = z.infer<typeof invitationSchema>;
