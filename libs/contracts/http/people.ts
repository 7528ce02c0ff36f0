import { z } from 'zod';
import { localDateSchema, timeZoneSchema, typedText } from '../events/fields.ts';
import { currentPasswordSchema, emailSchema, personNameSchema } from './accounts.ts';

export const bioTooLong = 'Bio must be at most 120 characters';
const bioSchema = typedText(120, { lines: true, tooLong: bioTooLong });

export const profileRequestSchema = z.object({
  name: personNameSchema.optional(),
  bio: bioSchema.optional(),
  location: typedText(80, { tooLong: 'Location must be at most 80 characters' }).optional(),
  favoriteActivity: typedText(60, { tooLong: 'Favorite activity must be at most 60 characters' }).optional(),
  timeZone: timeZoneSchema.optional(),
});
export type ProfileRequest = z.infer<typeof profileRequestSchema>;

/** Numbers are null and badges empty where their owner hides them (D18). */
export const userProfileSchema = z.object({
  id: z.string(),
  name: z.string(),
  bio: z.string(),
  location: z.string(),
  favoriteActivity: z.string(),
  profilePhotoUrl: z.string().nullable(),
  totalMiles: z.number().nullable(),
  streakCount: z.number().int().nullable(),
  teamName: z.string(),
  teamEmoji: z.string(),
  badges: z.array(z.string()),
  joinedDate: localDateSchema,
  followerCount: z.number().int(),
  followingCount: z.number().int(),
  isFollowing: z.boolean(),
  isSelf: z.boolean(),
});
export type UserProfile = z.infer<typeof userProfileSchema>;

export const followAnswerSchema = z.object({ isFollowing: z.boolean(), followerCount: z.number().int() });
export type FollowAnswer = z.infer<typeof followAnswerSchema>;

export const personRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  profilePhotoUrl: z.string().nullable(),
  teamName: z.string(),
  teamEmoji: z.string(),
});
export const personRowsSchema = z.array(personRowSchema);
export type PersonRow = z.infer<typeof personRowSchema>;

const isOn = z.boolean({ error: 'Must be true or false' });

export const notificationSwitchesSchema = z.object({
  email: isOn,
  push: isOn,
  teamUpdates: isOn,
  weeklyReports: isOn,
});
export const privacySchema = z.object({
  profileVisible: isOn,
  activityVisible: isOn,
  statsVisible: isOn,
  shareHeartRate: isOn,
  shareCalories: isOn,
  /** Whether a recap may show one's words and photos to the organisation (D28). */
  featuredInRecaps: isOn,
});
export type Privacy = z.infer<typeof privacySchema>;

export const themes = ['system', 'light', 'dark'] as const;
const preferencesSchema = z.object({
  darkMode: isOn,
  theme: z.enum(themes, { error: 'Theme must be system, light or dark' }),
  units: z.enum(['imperial', 'metric'], { error: 'Units must be imperial or metric' }),
});
const deviceSchema = z.object({ connected: z.boolean(), lastSync: z.string().nullable() });

export const settingsSchema = z.object({
  profile: z.object({ name: z.string(), email: z.string(), phone: z.string(), bio: z.string() }),
  notifications: notificationSwitchesSchema,
  privacy: privacySchema,
  preferences: preferencesSchema,
  fitnessDevices: z.object({ appleWatch: deviceSchema, googleFit: deviceSchema, strava: deviceSchema }),
});
export type Settings = z.infer<typeof settingsSchema>;

/** What is absent stays as it is. `theme` goes before `darkMode` where both come. */
export const settingsRequestSchema = z.object({
  profile: z
    .object({
      name: personNameSchema,
      email: emailSchema,
      phone: typedText(40, { tooLong: 'Phone must be at most 40 characters' }).nullable(),
      bio: bioSchema.nullable(),
      currentPassword: currentPasswordSchema,
    })
    .partial()
    .optional(),
  notifications: notificationSwitchesSchema.partial().optional(),
  privacy: privacySchema.partial().optional(),
  preferences: preferencesSchema.partial().optional(),
  /** Comes with the settings object and is ignored (7.31, D39). */
  fitnessDevices: z.unknown().optional(),
  /** Needed when `profile.email` names another address (D54). */
  currentPassword: currentPasswordSchema.optional(),
});
export type SettingsRequest = z.infer<typeof settingsRequestSchema>;

export const ownSessionSchema = z.object({
  id: z.string(),
  device: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  isCurrent: z.boolean(),
});
export const ownSessionsSchema = z.array(ownSessionSchema);
export type OwnSession = z.infer<typeof ownSessionSchema>;
export const endedSessionSchema = z.object({ ended: z.literal(true) });

export const exportStateSchema = z.object({
  state: z.enum(['none', 'building', 'ready', 'failed']),
  requestedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
});
export type ExportState = z.infer<typeof exportStateSchema>;

export const eraseRequestSchema = z.object({
  password: currentPasswordSchema,
});
export const erasedAnswerSchema = z.object({ erased: z.literal(true) });
