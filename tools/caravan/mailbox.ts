import { join } from 'node:path';
import { bundleOf } from './build.ts';
import type { InstanceDir } from './paths.ts';
import { freePort, portNear } from './ports.ts';
import type { Supervisor } from './supervisor.ts';
import { answers } from './waiting.ts';

/** Where mail of an instance goes, and where people read it. */
export type MailAddresses = { smtp: string; http: string };

/** Chooses the addresses of an instance's mailbox: people find it beside the gateway. */
export async function mailAddresses(gatewayPort: number): Promise<MailAddresses> {
  const http = await portNear(gatewayPort + 1);
  return { smtp: `smtp://127.0.0.1:${await freePort()}`, http: `http://127.0.0.1:${http}` };
}

/** Starts the mailbox, which takes every mail, delivers none and keeps them with the instance's data. */
export async function startMailbox(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { smtp, http }: MailAddresses,
): Promise<void> {
  const [smtpPort, httpPort] = [new URL(smtp).port, new URL(http).port];
  const folder = join(instanceDir.data, 'mail');
  await supervisor.start({
    name: 'mailbox',
    kind: 'server',
    command: process.execPath,
    args: [bundleOf('mailbox'), folder, smtpPort, httpPort],
    marker: folder,
    stopSignal: 'SIGTERM',
    isReady: () =>
      answers(
        Number(httpPort),
        `HEAD / HTTP/1.1\r\nHost: 127.0.0.1:${httpPort}\r\nConnection: close\r\n\r\n`,
        'HTTP/1.1 200',
      ),
  });
}
