import { z } from 'zod';
import { serviceNames } from './topics.ts';

/**
 * Positions this message stands on, by service: the message's own position in its service's log and those of the facts
 * that caused it. A reader that waits for `activity: 123` is served once a message that carries it was applied.
 */
export const positionsSchema = z.partialRecord(z.enum(serviceNames), z.number().int().positive());
export type Positions = z.infer<typeof positionsSchema>;

const epochsSchema = z.partialRecord(z.enum(serviceNames), z.number().int().nonnegative());

/** What surrounds every public event on Kafka. The message's key is `key`, its topic the owner's. */
export const envelopeSchema = z.object({
  id: z.uuid(),
  type: z.string().min(1),
  version: z.number().int().positive(),
  orgId: z.uuid(),
  /** Ordering unit: messages of one key are delivered in order of `position`. */
  key: z.string().min(1),
  /** Position in the owning service's log; rises with every message of a key. */
  position: z.number().int().positive(),
  positions: positionsSchema,
  /** In which epoch of each log its position is; 0 where it is not said. */
  epochs: epochsSchema.default({}),
  /** UTC, ISO 8601. */
  occurredAt: z.iso.datetime(),
  /** Who asked for it; null for the system's own acts. */
  actorId: z.uuid().nullable(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** One version of one public event: its name, its version and the schema of its data. */
export type PublicEventContract<Type extends string = string, Data extends z.ZodType = z.ZodType> = {
  readonly type: Type;
  readonly version: number;
  readonly data: Data;
  /** What personal fields say once the person whom `userId` names is erased; absent where none is personal. */
  readonly forgotten?: Partial<z.infer<Data>>;
};

/** Declares a public event. Its frozen sample lies in `samples/<type>.v<version>.json`. */
export function publicEvent<Type extends string, Data extends z.ZodType>(
  type: Type,
  version: number,
  data: Data,
  forgotten?: Partial<z.infer<Data>>,
): PublicEventContract<Type, Data> {
  return { type, version, data, ...(forgotten && { forgotten }) };
}

/** A public event as its producer hands it over and its consumer receives it. */
export type PublicEventOf<Contract> =
  Contract extends PublicEventContract<infer Type, infer Data>
    ? { type: Type; version: number; data: z.infer<Data> }
    : never;
