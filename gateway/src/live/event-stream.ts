import type { ServerResponse } from 'node:http';
import type { LiveMessage } from '@caravan/contracts/http/live';

/** Proxies and phones drop a silent connection after half a minute. */
const heartbeatMilliseconds = 25_000;
/** A page that does not read for so long is let go; it reconnects and refetches. */
const maximumBufferedBytes = 64 * 1024;

/** One open page: server-sent events over a response that stays open. */
export class EventStream {
  private readonly response: ServerResponse;
  private readonly heartbeat: NodeJS.Timeout;
  private sequence: number;

  /** @param lastEventId what the page saw last; a page that comes back is told to refetch everything it shows */
  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>, lastEventId: string | undefined) {
    this.response = response;
    this.sequence = Number(lastEventId ?? 0) || 0;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n: open\n\n');
    this.heartbeat = setInterval(() => this.write(': still here\n\n'), heartbeatMilliseconds);
    this.heartbeat.unref();
  }

  send(message: LiveMessage): void {
    this.sequence += 1;
    this.write(`id: ${this.sequence}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  close(): void {
    clearInterval(this.heartbeat);
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableLength > maximumBufferedBytes) this.response.destroy();
    else this.response.write(text);
  }
}
