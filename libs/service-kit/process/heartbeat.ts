import type { Socket } from 'node:net';

export type Pulse = {
  /** Any byte that arrived since the last look counts as an answer. */
  readonly socket: () => Pick<Socket, 'bytesRead' | 'destroy'> | undefined;
  readonly ping: () => Promise<unknown>;
  readonly alive: () => void;
  /** True during a blocking command, which the server answers late on purpose. */
  readonly mayBeSilent: () => boolean;
};

export type HeartbeatTimes = {
  readonly everyMilliseconds: number;
  readonly answerMilliseconds: number;
  /** How long a blocking command lasts at most. */
  readonly blockingMilliseconds: number;
};

/** BullMQ blocks for 10 s at most. */
export const heartbeatTimes: HeartbeatTimes = {
  everyMilliseconds: 2_500,
  answerMilliseconds: 5_000,
  blockingMilliseconds: 10_000,
};

/** Asks an open connection again and again whether it lives, and destroys one that keeps silent. TCP alone takes 15 minutes. */
export class Heartbeat {
  private readonly pulse: Pulse;
  private readonly times: HeartbeatTimes;
  private timer: NodeJS.Timeout | undefined;
  private heard = { bytes: 0, at: 0 };
  private isAsking = false;

  constructor(pulse: Pulse, times: HeartbeatTimes) {
    this.pulse = pulse;
    this.times = times;
  }

  start(): void {
    this.stop();
    this.heard = { bytes: this.pulse.socket()?.bytesRead ?? 0, at: performance.now() };
    this.timer = setInterval(() => {
      // Bytes that arrived while this process was busy are read before the look.
      setImmediate(() => this.look());
    }, this.times.everyMilliseconds).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.isAsking = false;
  }

  private look(): void {
    const socket = this.pulse.socket();
    if (!this.timer || !socket) return;
    if (socket.bytesRead !== this.heard.bytes) {
      this.heard = { bytes: socket.bytesRead, at: performance.now() };
      this.isAsking = false;
      return this.pulse.alive();
    }
    const { answerMilliseconds, blockingMilliseconds } = this.times;
    const patience = answerMilliseconds + (this.pulse.mayBeSilent() ? blockingMilliseconds : 0);
    if (performance.now() - this.heard.at >= patience) return void socket.destroy();
    if (this.isAsking) return;
    this.isAsking = true;
    this.pulse.ping().catch(() => undefined);
  }
}
