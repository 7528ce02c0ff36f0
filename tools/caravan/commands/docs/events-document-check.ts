import { Parser } from '@asyncapi/parser';
import { eventsDocument } from './pages/events-document.ts';

/** Throws with what the official parser finds wrong with the document of events. */
export async function checkEventsDocument(): Promise<void> {
  // Only a document without errors is parsed; warnings are left out.
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(eventsDocument()));
  if (document !== undefined) return;
  const lines = diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The AsyncAPI document is not valid:\n${lines.slice(0, 20).join('\n')}`);
}
