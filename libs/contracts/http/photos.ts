import { z } from 'zod';
import { opaqueText, photoFactsSchema, typedText } from '../events/fields.ts';

/** Ten megabytes. */
export const mostPhotoBytes = 10_485_760;

export const photoWords = {
  tooLarge: 'A photo may have 10 MB at most',
  empty: 'This file is empty',
  otherSize: 'This file is not as large as was said. Please upload it again.',
  type: 'Photos are JPEG, PNG, WebP, GIF or AVIF files',
  heic: 'HEIC photos cannot be read here. Please choose a JPEG, PNG, WebP, GIF or AVIF file.',
  vector: 'Vector graphics (SVG) are not photos. Please choose a JPEG, PNG, WebP, GIF or AVIF file.',
  unreadable: 'This file cannot be read as a photo. It may be damaged.',
  tooManyPixels: 'This photo has too many pixels. Please choose a smaller one.',
  tooManyFrames: 'This animation has too many pictures. Please choose a shorter one.',
  tooExpensive: 'This photo takes too long to read. Please choose a smaller one.',
  noUpload: 'This upload does not exist. Please choose the photo again.',
  notArrived: 'This photo has not arrived. Please upload it again.',
  noPhoto: 'This photo does not exist. Please upload it again.',
  used: 'This photo is in use already. Please upload it again.',
} as const;

/** What is taken; what a file calls itself is judged by its content once more. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

const refusedTypes: ReadonlyMap<string, string> = new Map([
  ['image/heic', photoWords.heic],
  ['image/heif', photoWords.heic],
  ['image/svg+xml', photoWords.vector],
]);

export const photoTypeSchema = opaqueText(100, 'file-type')
  .superRefine((type, context) => {
    const isTaken = type === '' || (photoTypes as readonly string[]).includes(type.toLowerCase());
    if (!isTaken)
      context.addIssue({ code: 'custom', message: refusedTypes.get(type.toLowerCase()) ?? photoWords.type });
  })
  .meta({ pattern: '^(image/(jpeg|png|webp|gif|avif))?$' });

/** What is said here is held to; `{}` says nothing. */
export const startUploadRequestSchema = z.object({
  size: z
    .number({ error: 'The size is a number of bytes' })
    .int('The size is a whole number of bytes')
    .positive(photoWords.empty)
    .max(mostPhotoBytes, photoWords.tooLarge)
    .optional(),
  type: photoTypeSchema.optional(),
});
export type StartUploadRequest = z.infer<typeof startUploadRequestSchema>;

export const startedUploadSchema = z.object({
  /** Takes a PUT of the file for ten minutes. */
  uploadURL: z.string(),
});
export type StartedUpload = z.infer<typeof startedUploadSchema>;

export const registerPhotoRequestSchema = z.object({
  /** The `uploadURL`, with or without its query. */
  photoURL: opaqueText(4_096, 'uri-reference')
    .refine((url) => url !== '', 'Say which upload it is')
    .meta({ pattern: String.raw`\S` }),
  /** What the photo shows, for those who do not see it. */
  alt: typedText(300).nullish(),
});
export type RegisterPhotoRequest = z.infer<typeof registerPhotoRequestSchema>;

export const registeredPhotoSchema = photoFactsSchema.omit({ alt: true }).extend({
  /** `/objects/photos/{photoId}`: the `photoPath` of a log, or the own picture. */
  objectPath: z.string(),
  /** For its owner, for a quarter of an hour at least. */
  previewUrl: z.string(),
});
export type RegisteredPhoto = z.infer<typeof registeredPhotoSchema>;

/** What an `<img>` needs besides its `src`. */
export const shownPhotoSchema = photoFactsSchema.extend({
  /** Addresses with their widths, each good for a quarter of an hour at least. */
  srcSet: z.string(),
});
export type ShownPhoto = z.infer<typeof shownPhotoSchema>;

/** The rest of an address that this product has signed. */
export const photoQuerySchema = z.object({
  viewer: opaqueText(100, 'id').optional(),
  expires: opaqueText(20, 'signature').optional(),
  signature: opaqueText(100, 'signature').optional(),
});

export const profilePhotoRequestSchema = z.object({ objectPath: opaqueText(512, 'path') });
export type ProfilePhotoRequest = z.infer<typeof profilePhotoRequestSchema>;

export const profilePhotoAnswerSchema = z.object({ profilePhotoUrl: z.string().nullable() });
export type ProfilePhotoAnswer = z.infer<typeof profilePhotoAnswerSchema>;

/**
 * Between services only: keeps a photo of somebody's own as their picture. 204, 404 when it is not theirs, 409 when a
 * log has it.
 */
export const avatarChoicePath = '/internal/photos/avatar';
export const avatarChoiceSchema = z.object({ orgId: z.uuid(), userId: z.uuid(), objectPath: z.string() });
