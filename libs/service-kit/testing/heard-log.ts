import { symbols } from 'pino';
import type { Log } from '../telemetry/log.ts';

export type HeardLine = Readonly<Record<string, unknown>>;

/** Everything that a running service logs from now on, as it would stand on standard output. */
export function hearLog(log: Log): { readonly text: () => string; readonly lines: () => HeardLine[] } {
  const written: string[] = [];
  log.level = 'debug';
  Object.assign(log, { [symbols.streamSym]: { write: (line: string) => void written.push(line) } });
  return {
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as HeardLine),
  };
}
