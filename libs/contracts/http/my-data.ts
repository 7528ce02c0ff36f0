import { z } from 'zod';

/** Between services only: instants are ISO 8601 text, distances miles, each name a file of the person's export. */
export const myDataSchema = z.object({
  files: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** Pictures of the person's, as they lie in the storage that all services share. */
  pictures: z.array(z.object({ name: z.string(), key: z.string() })).optional(),
});
export type MyData = z.infer<typeof myDataSchema>;

export const myDataPath = '/internal/my-data';
