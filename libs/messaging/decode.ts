import { type Envelope, envelopeSchema } from '@caravan/contracts/envelope';
import type { Consumed } from './consumer.ts';
import type { Handler, Handlers } from './groups.ts';
import type { IncomingMessage } from './kafka-port.ts';

/** A message as a group sees it. */
export type Decoded =
  | { readonly is: 'event'; readonly envelope: Envelope; readonly event: Consumed; readonly handler: Handler }
  /** A fact that this group does not handle. */
  | { readonly is: 'foreign'; readonly envelope: Envelope }
  | { readonly is: 'broken'; readonly code: string; readonly reason: string; readonly envelope?: Envelope };

/** Parses a message by its contract. A known type in an unknown version is broken, never skipped: it would be lost. */
export function decode(message: Pick<IncomingMessage, 'key' | 'value'>, handlers: Handlers): Decoded {
  const envelope = envelopeOf(message.value);
  if ('code' in envelope) return { is: 'broken', ...envelope };
  if (envelope.key !== message.key) {
    return { is: 'broken', code: 'message/wrong-key', reason: `The envelope says key ${envelope.key}.`, envelope };
  }
  const versions = handlers.get(envelope.type);
  if (!versions) return { is: 'foreign', envelope };
  const handler = versions.get(envelope.version);
  if (!handler) {
    const reason = `${envelope.type} v${envelope.version} is not known here.`;
    return { is: 'broken', code: 'message/unknown-version', reason, envelope };
  }
  const data = handler.subscription.contract.data.safeParse(envelope.data);
  if (!data.success) return { is: 'broken', code: 'message/bad-data', reason: data.error.message, envelope };
  return { is: 'event', envelope, event: { ...envelope, data: data.data }, handler };
}

function envelopeOf(value: Buffer | null): Envelope | { code: string; reason: string } {
  if (!value) return { code: 'message/empty', reason: 'The message has no value.' };
  let json: unknown;
  try {
    json = JSON.parse(value.toString());
  } catch (error) {
    return { code: 'message/not-json', reason: String(error) };
  }
  const parsed = envelopeSchema.safeParse(json);
  return parsed.success ? parsed.data : { code: 'message/bad-envelope', reason: parsed.error.message };
}
