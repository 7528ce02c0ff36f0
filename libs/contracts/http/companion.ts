import { z } from 'zod';
import { mostPhotoBytes, photoTypeSchema, photoWords, startUploadRequestSchema } from './photos.ts';

/** S3 takes none that is smaller, but for the last one. */
const leastPartBytes = 5 * 1024 * 1024;
/** The whole ones of the largest photo, and one of which it turns out that the file is too large. */
export const mostParts = mostPhotoBytes / leastPartBytes + 1;

export const companionWords = {
  noKey: 'Say by ?key= which file is meant',
  cannotSign: 'Cannot sign without a key, an uploadId, and a partNumber',
  partNumber: 'The part number must be a number between 1 and 10000',
  parts: 'The parts are not those that arrived. Please choose the photo again.',
  tooLarge: photoWords.tooLarge,
  noUpload: photoWords.noUpload,
  unavailable: 'Photos cannot be stored right now. Please try again.',
  noLinks: 'Photos are not fetched from other sites here. Please save the photo and choose it from your device.',
  link: 'Give the address of a photo, which begins with https://',
  linkInside: 'Photos are fetched from the open internet only',
  linkUnreachable:
    'This photo could not be fetched. Please check its address, or save it and choose it from your device.',
  tooManyLinks: 'You have asked for many photos of other sites in the last hour. Please try again later.',
  busy: 'Many photos are being fetched right now. Please try again in a moment.',
} as const;

const filename = z
  .string({ error: 'Say what the file is called' })
  .min(1, 'Say what the file is called')
  .meta({ format: 'file-name' });

/** What a browser calls its file is looked at by nobody: keys are the server's. */
export const partedUploadRequestSchema = z.object({
  filename,
  type: photoTypeSchema,
  size: startUploadRequestSchema.shape.size,
  metadata: z.unknown().optional(),
});
export type PartedUploadRequest = z.infer<typeof partedUploadRequestSchema>;

export const uploadParametersQuerySchema = z.object({ filename, type: photoTypeSchema });
export type UploadParametersQuery = z.infer<typeof uploadParametersQuerySchema>;

export const uploadParametersSchema = z.object({
  method: z.literal('PUT'),
  url: z.string(),
  fields: z.object({}),
  /** Seconds. */
  expires: z.number().int(),
});
export type UploadParameters = z.infer<typeof uploadParametersSchema>;

export const partedUploadSchema = z.object({ key: z.string(), uploadId: z.string(), bucket: z.string() });
export type PartedUpload = z.infer<typeof partedUploadSchema>;

export const ofKeySchema = z.object({ key: z.string().max(1_024).optional() });
export type OfKey = z.infer<typeof ofKeySchema>;

export const partsOfKeySchema = ofKeySchema.extend({
  /** Numbers, separated by commas. */
  partNumbers: z.string().max(100).optional(),
});
export type PartsOfKey = z.infer<typeof partsOfKeySchema>;

export const arrivedPartsSchema = z.array(
  z.object({ PartNumber: z.number().int(), ETag: z.string(), Size: z.number().int() }),
);
export type ArrivedParts = z.infer<typeof arrivedPartsSchema>;

export const signedPartSchema = z.object({ url: z.string(), expires: z.number().int() });
export type SignedPart = z.infer<typeof signedPartSchema>;

export const signedPartsSchema = z.object({ presignedUrls: z.record(z.string(), z.string()) });
export type SignedParts = z.infer<typeof signedPartsSchema>;

const part = z.object(
  { PartNumber: z.number().int().min(1).max(10_000), ETag: z.string().min(1).max(200).meta({ format: 'etag' }) },
  { error: 'Each part has an ETag and a PartNumber' },
);
export const completeRequestSchema = z.object({
  parts: z.array(part, { error: 'The parts are a list' }).min(1, 'Name the parts').max(100, photoWords.tooLarge),
});
export type CompleteRequest = z.infer<typeof completeRequestSchema>;

export const completedUploadSchema = z.object({
  /** The `photoURL` of what is registered next. */
  location: z.string(),
  key: z.string(),
  bucket: z.string(),
});
export type CompletedUpload = z.infer<typeof completedUploadSchema>;

export const abortedUploadSchema = z.object({});

/** Where the panel may take photos from besides the device. */
export const photoSourcesSchema = z.object({ link: z.boolean() });
export type PhotoSources = z.infer<typeof photoSourcesSchema>;

/** Whatever else the panel sends is looked at by nobody. */
export const linkRequestSchema = z.object({
  url: z
    .string({ error: companionWords.link })
    .min(1, companionWords.link)
    .max(2_048, 'This address is too long')
    .meta({ format: 'uri' }),
});
export type LinkRequest = z.infer<typeof linkRequestSchema>;

export const linkedFileSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** Bytes; null where the other side does not say. */
  size: z.number().int().nullable(),
});
export type LinkedFile = z.infer<typeof linkedFileSchema>;

/** A token goes behind it. */
export const companionSocketPath = '/companion/api';

/** Who opens the socket `/companion/api/{token}` has the file fetched, and hears how it goes. */
export const linkImportSchema = z.object({ token: z.string() });
export type LinkImport = z.infer<typeof linkImportSchema>;

/** What the socket says, as Companion says it. */
export const linkNewsSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('progress'),
    payload: z.object({ progress: z.string(), bytesUploaded: z.number(), bytesTotal: z.number() }),
  }),
  z.object({
    action: z.literal('success'),
    payload: z.object({
      complete: z.literal(true),
      /** The `photoURL` of what is registered next. */
      url: z.string(),
      bytesUploaded: z.number(),
    }),
  }),
  z.object({ action: z.literal('error'), payload: z.object({ error: z.object({ message: z.string() }) }) }),
]);
export type LinkNews = z.infer<typeof linkNewsSchema>;
