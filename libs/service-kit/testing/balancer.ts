import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several processes, as a Kubernetes Service has. It balances connections, not requests. */
export type Balancer = {
  readonly url: string;
  readonly add: (port: number) => void;
  /** No new connection goes there. Those that are open stay. */
  readonly remove: (port: number) => void;
  readonly close: () => Promise<void>;
};

export async function startBalancer(ports: readonly number[] = []): Promise<Balancer> {
  const targets = [...ports];
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (inbound) => {
    const port = targets[turn++ % targets.length];
    if (port === undefined) return void inbound.resetAndDestroy();
    const outbound = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const pairs = [
      [inbound, outbound],
      [outbound, inbound],
    ] as const;
    for (const [from, to] of pairs) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (port) => void targets.push(port),
    remove: (port) => void targets.splice(targets.indexOf(port), 1),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
