import { z } from 'zod';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, localDateSchema } from './fields.ts';

/** Public facts of scoring on `scoring.v1`; key: userId. Totals are absolute, so that applying one twice changes nothing. */
export const milesCredited = publicEvent(
  'MilesCredited',
  1,
  z.object({
    entryId: z.uuid(),
    userId: z.uuid(),
    teamId: z.uuid(),
    kind: z.enum(['log']),
    logId: z.uuid(),
    centimiles: centimilesSchema,
    creditedOn: localDateSchema,
    /** The member's total after this entry. */
    totalCentimiles: centimilesSchema,
    /** The member's latest run of active days after this entry (D11). */
    latestRun: z.object({ startedOn: localDateSchema, endedOn: localDateSchema }),
  }),
);

export const scoringEvents = { MilesCredited: milesCredited };
