import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@caravan/service-kit/telemetry/log';
import type { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { networkOf } from '@caravan/service-kit/http/network';
import { logSecurityOnce } from '@caravan/service-kit/telemetry/security-log';
import proxyAddr from '@fastify/proxy-addr';

export type ConnectionLimits = {
  readonly open: number;
  readonly openPerAddress: number;
  /** Comma list. Behind such a proxy are many addresses, so the limit of one does not hold for it. */
  readonly trustedProxies: string;
};

type LimitName = 'total' | 'address';
type Network = { open: number; readonly strangers: Set<Socket> };

/**
 * Limits the open connections. Nobody knows whose a new connection is, so it is let in where an older one can give way:
 * one on which nothing of a member has come. Where members hold all places, new ones are closed as they open.
 */
export class Connections {
  private readonly networks = new Map<string, Network>();
  private readonly forgetStranger = new WeakMap<Socket, () => void>();
  private readonly isProxy: (ip: string) => boolean;
  private readonly refused: { inc(labels: { limit: LimitName }): void };
  private readonly log: Log;
  private total = 0;

  constructor(
    private readonly limits: ConnectionLimits,
    { log, metrics }: { log: Log; metrics: Metrics },
  ) {
    this.log = log;
    metrics.gauge({
      name: 'caravan_open_connections',
      help: 'Connections of clients.',
      collect: (gauge) => gauge.set(this.total),
    });
    const help = 'Connections that were closed for others or as they opened, by the limit that was reached.';
    this.refused = metrics.counter<'limit'>('caravan_refused_connections_total', help, ['limit']);
    const proxies = limits.trustedProxies.split(',').filter((name) => name !== '');
    const trusts = proxies.length === 0 ? () => false : proxyAddr.compile(proxies);
    this.isProxy = (ip) => trusts(ip, 0);
  }

  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.open(socket));
  }

  /** The connection is a member's from now on, and gives way to no other. */
  spare(socket: Socket): void {
    this.forgetStranger.get(socket)?.();
  }

  private open(socket: Socket): void {
    const { remoteAddress: ip = '' } = socket;
    const name = networkOf(ip);
    const limit = this.reachedBy(ip, name);
    if (limit !== undefined) {
      const older = this.strangerOf(limit === 'address' ? name : this.mostStrangers());
      this.close(older ?? socket, limit);
      if (older === undefined) return;
    }
    this.add(socket, name);
  }

  private reachedBy(ip: string, name: string): LimitName | undefined {
    const mine = this.networks.get(name)?.open ?? 0;
    if (mine >= this.limits.openPerAddress && !this.isProxy(ip)) return 'address';
    return this.total >= this.limits.open ? 'total' : undefined;
  }

  private close(socket: Socket, limit: LimitName): void {
    const { remoteAddress: ip = '' } = socket;
    this.refused.inc({ limit });
    const code = 'gateway/too-many-connections';
    logSecurityOnce(this.log, 'throttled', `${networkOf(ip)} ${code}`, { ip, code, limit });
    socket.destroy();
  }

  private add(socket: Socket, name: string): void {
    const network = this.networks.get(name) ?? { open: 0, strangers: new Set<Socket>() };
    this.networks.set(name, network);
    network.open += 1;
    this.total += 1;
    // Many clients share a proxy's connections, so none of them gives way.
    if (!this.isProxy(socket.remoteAddress ?? '')) {
      network.strangers.add(socket);
      this.forgetStranger.set(socket, () => void network.strangers.delete(socket));
    }
    socket.once('close', () => {
      network.strangers.delete(socket);
      network.open -= 1;
      this.total -= 1;
      if (network.open === 0) this.networks.delete(name);
    });
  }

  /** The oldest one that is still open. */
  private strangerOf(name: string | undefined): Socket | undefined {
    const network = this.networks.get(name ?? '');
    for (const socket of network?.strangers ?? []) {
      network?.strangers.delete(socket);
      if (!socket.destroyed) return socket;
    }
    return undefined;
  }

  private mostStrangers(): string | undefined {
    let most = 0;
    let found: string | undefined;
    for (const [name, { strangers }] of this.networks) {
      if (strangers.size <= most) continue;
      most = strangers.size;
      found = name;
    }
    return found;
  }
}
