import { z } from 'zod';

/** What the process that keeps servers in containers is told, by a file that its owner alone reads. */
export const serversSettings = z.object({
  images: z.object({ postgres: z.string(), kafka: z.string(), redis: z.string(), s3: z.string() }),
  passwords: z.object({ postgres: z.string(), redis: z.string() }),
  s3: z.object({ accessKey: z.string(), secretKey: z.string() }),
  isDurable: z.boolean(),
  /** Where it says how the servers are reached, once they are ready. */
  readyFile: z.string(),
});
export type ServersSettings = z.infer<typeof serversSettings>;

/** By which containers of a run that broke off are found. */
export const serversLabel = 'caravan.test-servers';
