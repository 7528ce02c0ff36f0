import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';

export type TcpProxy = {
  readonly port: number;
  /** Breaks every connection and takes none until `restore`. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /** Takes connections and says nothing on any, old or new, as a server does that is stopped; until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Open connections never answer again and stay open towards the server; new ones work. */
  readonly silence: () => void;
  /** Bytes that were sent through it to the server. */
  readonly bytesTaken: () => number;
  readonly close: () => Promise<void>;
};

/** Stands before a server that other suites use too, so that one suite can lose it. */
export async function startTcpProxy(
  target: { host: string; port: number },
  { delayMilliseconds = 0 }: { readonly delayMilliseconds?: number } = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent = new WeakSet<Socket>();
  let isFrozen = false;
  let takenByClosed = 0;
  const server = createServer((inbound) => {
    const outbound = connect(target.port, target.host);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (silent.has(socket)) return;
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
    else join(pair, delayMilliseconds);
  });
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  const thaw = () => {
    isFrozen = false;
    for (const pair of pairs) join(pair, delayMilliseconds);
  };
  const silence = () => {
    for (const pair of pairs)
      for (const socket of pair) {
        silent.add(socket.unpipe());
        // Reads on and drops the data, so that the end of the connection is noticed.
        socket.resume();
      }
    pairs.clear();
  };
  const bytesTaken = () => [...pairs].reduce((sum, [inbound]) => sum + inbound.bytesRead, takenByClosed);
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
  return { port, cut, restore: () => listen(port), freeze, thaw, silence, bytesTaken, close: cut };
}

function join([inbound, outbound]: readonly [Socket, Socket], delayMilliseconds: number): void {
  if (delayMilliseconds === 0) return void inbound.pipe(outbound).pipe(inbound);
  inbound.pipe(lateBy(delayMilliseconds)).pipe(outbound);
  outbound.pipe(lateBy(delayMilliseconds)).pipe(inbound);
}

function lateBy(milliseconds: number): Transform {
  const delayed: Buffer[] = [];
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      delayed.push(chunk);
      setTimeout(() => stream.push(delayed.shift()), milliseconds);
      done();
    },
  });
  return stream;
}
