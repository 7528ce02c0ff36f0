import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  readonly port: number;
  /** Breaks every connection and takes none until `restore`. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /** Takes connections and says nothing on any, old or new, as a server does that is stopped; until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Bytes that were sent through it to the server. */
  readonly taken: () => number;
  readonly close: () => Promise<void>;
};

/** Stands before a server that other suites use too, so that one suite can lose it. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  let takenByClosed = 0;
  const server = createServer((inbound) => {
    const outbound = connect(target.port, target.host);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        inbound.destroy();
        outbound.destroy();
      });
    }
    const pair = [inbound, outbound] as const;
    pairs.add(pair);
    inbound.on('close', () => {
      pairs.delete(pair);
      takenByClosed += inbound.bytesRead;
    });
    if (isFrozen) inbound.pause();
    else join(pair);
  });
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  const thaw = () => {
    isFrozen = false;
    pairs.forEach(join);
  };
  const taken = () => [...pairs].reduce((sum, [inbound]) => sum + inbound.bytesRead, takenByClosed);
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { port, cut, restore: () => listen(port), freeze, thaw, taken, close: cut };
}

const join = ([inbound, outbound]: readonly [Socket, Socket]) => void inbound.pipe(outbound).pipe(inbound);
