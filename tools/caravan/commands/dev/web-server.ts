import { join, resolve } from 'node:path';
import { answers } from '../../process/ports.ts';
import { root } from '../../process/paths.ts';
import type { Program } from '../../process/supervisor.ts';

type Place = {
  readonly port: number;
  /** Everything that is no file of the web app is asked for there. */
  readonly gateway: string;
  /** The sources of the web app. */
  readonly folder?: string;
};

const pageRequest = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nConnection: close\r\n\r\n';

/** Vite in a process of its own, which serves the web app from its sources and shows on open pages what changes in them. */
export function webServer({ port, gateway, folder = join(root, 'web') }: Place): Program {
  const script = resolve(import.meta.dirname, 'web-process.ts');
  const args = ['--import', 'tsx', script, String(port), gateway, folder];
  return {
    name: 'web',
    // Like a server, it is started again when it ends by itself.
    kind: 'server',
    command: process.execPath,
    args,
    marker: args.join(' '),
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, pageRequest, 'HTTP/1.1 200'),
  };
}
