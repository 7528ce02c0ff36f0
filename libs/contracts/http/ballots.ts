import { z } from 'zod';
import { instantSchema, typedInstantSchema, typedText } from '../events/fields.ts';
import { teamRefSchema } from './accounts.ts';
import { teamNameSchema } from './organisations.ts';
import { pageQuerySchema } from './paging.ts';

export const fewestNames = 3;
export const mostNames = 5;
const howManyNames = `A ballot offers ${fewestNames} to ${mostNames} names`;

/** `closed`: the time is over and the votes are being counted; `decided`: the result is there. */
export const ballotStateSchema = z.enum(['open', 'closed', 'decided']);
export type BallotState = z.infer<typeof ballotStateSchema>;

export const ballotResultSchema = z.object({
  /** Null when nobody voted, or every name that got votes was taken meanwhile: the team is called as before. */
  name: z.string().nullable(),
  /** Names with more votes that another team had taken meanwhile. */
  passedOver: z.array(z.string()),
});
export type BallotResult = z.infer<typeof ballotResultSchema>;

/** The newest ballot of one's team; one that is decided is shown for a week (D41: after that there is none). */
export const nameOptionsSchema = z.object({
  ballotId: z.string(),
  state: ballotStateSchema,
  /** Sealed: 0 for who could still vote and has not. */
  nameOptions: z.array(z.object({ name: z.string(), votes: z.number().int() })),
  hasVoted: z.boolean(),
  /** One's own vote, which nobody else sees. */
  chosenName: z.string().nullable(),
  votingPeriod: z.object({ endsAt: instantSchema }),
  result: ballotResultSchema.nullable(),
});
export type NameOptions = z.infer<typeof nameOptionsSchema>;

const notAText = 'Choose one of the names';

export const voteRequestSchema = z.object({
  teamId: z.string({ error: 'Choose a team' }).max(64, 'Choose a team').meta({ format: 'id' }),
  chosenName: typedText(200, { required: notAText, tooLong: notAText }),
});
export type VoteRequest = z.infer<typeof voteRequestSchema>;

const namesSchema = z
  .array(teamNameSchema, { error: howManyNames })
  .min(fewestNames, howManyNames)
  .max(mostNames, howManyNames);

/** Absent names are suggested from the company's traits and industry; without an end it ends in seven days. Of an open ballot the names change until the first vote. */
export const ballotRequestSchema = z.object({
  names: namesSchema.optional(),
  endsAt: typedInstantSchema.optional(),
});
export type BallotRequest = z.infer<typeof ballotRequestSchema>;

export const openBallotsRequestSchema = ballotRequestSchema.pick({ endsAt: true });
export type OpenBallotsRequest = z.infer<typeof openBallotsRequestSchema>;

export const ballotsQuerySchema = pageQuerySchema(25);

/** As admins see it: how many have voted, never who for what; counts only once it is decided. */
export const ballotSchema = z.object({
  id: z.string(),
  team: teamRefSchema,
  state: ballotStateSchema,
  names: z.array(z.object({ name: z.string(), votes: z.number().int().nullable() })),
  openedAt: instantSchema,
  endsAt: instantSchema,
  turnout: z.object({ voted: z.number().int(), members: z.number().int() }),
  result: ballotResultSchema.nullable(),
});
export type Ballot = z.infer<typeof ballotSchema>;
export const ballotsSchema = z.array(ballotSchema);
