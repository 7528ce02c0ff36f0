import { z } from 'zod';

/**
 * What a service holds about one person, by name of the file it becomes in the person's export: rows with readable
 * columns, instants as ISO 8601 text, miles as numbers. Answered at `myDataPath`, between services only.
 */
export const myDataSchema = z.object({
  files: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});
export type MyData = z.infer<typeof myDataSchema>;

/** Every service that keeps people answers here to the person's own bearer; the gateway does not route it. */
export const myDataPath = '/internal/my-data';
