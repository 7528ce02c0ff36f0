import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * One address before processes that come and go, as a service of a cluster is: a new connection goes to one that is in,
 * in turn; a connection that is open stays where it is.
 */
export class Front {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #ports: readonly number[] = [];
  #turn = 0;

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#passOn(client));
  }

  static async open(): Promise<Front> {
    const front = new Front();
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  takeIn(port: number): void {
    this.#ports = [...this.#ports, port];
  }

  leaveOut(port: number): void {
    this.#ports = this.#ports.filter((each) => each !== port);
  }

  #passOn(client: Socket): void {
    const port = this.#ports[this.#turn++ % this.#ports.length];
    if (port === undefined) return void client.destroy();
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.once('close', () => this.#sockets.delete(one));
      one.pipe(other);
    }
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
