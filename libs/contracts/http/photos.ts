import { z } from 'zod';

/** Ten megabytes. */
export const mostPhotoBytes = 10_485_760;

export const photoWords = {
  tooLarge: 'A photo may have 10 MB at most',
  type: 'Photos are JPEG, PNG, WebP, GIF or AVIF files',
  heic: 'HEIC photos cannot be read here. Please choose a JPEG, PNG, WebP, GIF or AVIF file.',
  vector: 'Vector graphics (SVG) are not photos. Please choose a JPEG, PNG, WebP, GIF or AVIF file.',
} as const;

/** Pixels, and what stands in its place until it is there. */
export const photoFactsSchema = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** About 25 bytes, base64 (evanw.github.io/thumbhash). */
  thumbHash: z.string(),
  alt: z.string().nullable(),
});
