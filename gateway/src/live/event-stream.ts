import type { ServerResponse } from 'node:http';
import type { LiveMessage } from '@caravan/contracts/http/live';

/** A page that does not read is cut off; it reconnects and refetches. */
const maximumBufferedBytes = 64 * 1024;
const comeBackWithinMilliseconds = 5_000;

export type Ending = LiveMessage['ended'] & {};

export class EventStream {
  private readonly response: ServerResponse;
  private sequence: number;
  private counted: number | undefined;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>, lastEventId: string | undefined) {
    this.response = response;
    const seen = Number(lastEventId ?? 0);
    this.sequence = Number.isSafeInteger(seen) ? seen : 0;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n: open\n\n');
  }

  send(message: LiveMessage): void {
    this.sequence += 1;
    this.write(`id: ${this.sequence}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  count(pages: number): void {
    if (pages === this.counted) return;
    this.counted = pages;
    this.write(`data: ${JSON.stringify({ kinds: [], pages } satisfies LiveMessage)}\n\n`);
  }

  /** Proxies and phones drop a silent connection after half a minute. */
  beat(): void {
    this.write(': still here\n\n');
  }

  close(ended?: Ending): void {
    if (ended === 'stopping') this.write(`retry: ${Math.ceil(Math.random() * comeBackWithinMilliseconds)}\n`);
    if (ended) this.send({ kinds: [], ended });
    if (!this.response.writableEnded) this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > maximumBufferedBytes) this.response.destroy();
    else this.response.write(text);
  }
}
