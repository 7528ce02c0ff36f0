import { z } from 'zod';
import { serviceNames } from './topics.ts';

/** Of the message and the facts that caused it: a wait for `activity: 123` ends once one with it was applied. */
export const positionsSchema = z.partialRecord(z.enum(serviceNames), z.number().int().positive());
export type Positions = z.infer<typeof positionsSchema>;

const epochsSchema = z.partialRecord(z.enum(serviceNames), z.number().int().nonnegative());

export const envelopeSchema = z.object({
  id: z.uuid(),
  type: z.string().min(1),
  version: z.number().int().positive(),
  orgId: z.uuid(),
  /** Messages of one key are delivered in order of `position`. */
  key: z.string().min(1),
  position: z.number().int().positive(),
  positions: positionsSchema,
  epochs: epochsSchema.default({}),
  occurredAt: z.iso.datetime(),
  /** Null for the system's own acts. */
  actorId: z.uuid().nullable(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export type PublicEventContract<Type extends string = string, Data extends z.ZodType = z.ZodType> = {
  readonly type: Type;
  readonly version: number;
  readonly data: Data;
  /** What personal fields say once the person is erased. */
  readonly forgotten?: Partial<z.infer<Data>>;
  /** Versions that still lie in topics: consumers take them as the present one. */
  readonly earlier?: readonly EarlierVersion<z.infer<Data>>[];
};

type EarlierVersion<Now> = {
  readonly version: number;
  /** Parses what was published then, and says it as it is said now. */
  readonly data: z.ZodType<Now>;
  /** As it was published then. */
  readonly published: z.ZodType;
};

export function publicEvent<Type extends string, Data extends z.ZodType>(
  type: Type,
  version: number,
  data: Data,
  forgotten?: Partial<z.infer<Data>>,
): PublicEventContract<Type, Data> {
  return { type, version, data, ...(forgotten && { forgotten }) };
}

export type PublicEventOf<Contract> =
  Contract extends PublicEventContract<infer Type, infer Data>
    ? { type: Type; version: number; data: z.infer<Data> }
    : never;
