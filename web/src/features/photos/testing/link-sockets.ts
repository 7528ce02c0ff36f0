import type { LinkNews } from '@caravan/contracts/http/companion';
import { vi } from 'vitest';

/** Opens sockets like the server; what one was opened for and was told stands in the list it returns. */
export function serveLinkSockets(...news: LinkNews[]): { url: string; heard: unknown[] }[] {
  const opened: { url: string; heard: unknown[] }[] = [];
  class LinkSocket extends EventTarget {
    readonly OPEN = 1;
    readyState = 0;
    private readonly heard: unknown[] = [];

    constructor(url: string) {
      super();
      opened.push({ url, heard: this.heard });
      setTimeout(() => {
        this.readyState = this.OPEN;
        this.dispatchEvent(new Event('open'));
        for (const each of news) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(each) }));
      });
    }
    send(data: string): void {
      this.heard.push(JSON.parse(data));
    }
    close(): void {
      this.readyState = 3;
    }
  }
  vi.stubGlobal('WebSocket', LinkSocket);
  return opened;
}
