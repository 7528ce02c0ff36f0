import { z } from 'zod';
import { badgeCategories } from '../domain/choices.ts';

export const earnedBadgeSchema = z.object({ badgeName: z.string(), badgeIcon: z.string(), dateEarned: z.string() });
export const earnedBadgesSchema = z.array(earnedBadgeSchema);
export type EarnedBadge = z.infer<typeof earnedBadgeSchema>;

export const galleryBadgeSchema = z.object({
  badgeId: z.string(),
  badgeName: z.string(),
  badgeIcon: z.string(),
  description: z.string(),
  requirement: z.string(),
  category: z.enum(badgeCategories),
  isEarned: z.boolean(),
  dateEarned: z.string().nullable(),
  progress: z.object({ current: z.number(), target: z.number(), progressText: z.string() }),
});
export const galleryBadgesSchema = z.array(galleryBadgeSchema);
export type GalleryBadge = z.infer<typeof galleryBadgeSchema>;
