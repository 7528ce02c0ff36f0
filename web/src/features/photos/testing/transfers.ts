import { vi } from 'vitest';

/** What the storage answers to a file; a number alone is a status. */
type Answer = number | { status: number; body?: string; headers?: Record<string, string> };

type Transfer = { url: string; headers: Record<string, string>; body: unknown };

/** Takes files like the storage; every one that was sent stands in the list it returns. 'never': no answer comes. */
export function serveStorage(...answers: (Answer | 'never')[]): Transfer[] {
  const transfers: Transfer[] = [];
  class StorageRequest extends EventTarget {
    readonly upload = new EventTarget();
    readonly sent: Transfer = { url: '', headers: {}, body: null };
    status = 0;
    responseText = '';
    responseType = '';
    timeout = 0;
    private answered: Record<string, string> = {};

    open(_method: string, url: string): void {
      this.sent.url = url;
    }
    setRequestHeader(name: string, value: string): void {
      this.sent.headers[name] = value;
    }
    getResponseHeader(name: string): string | null {
      return this.answered[name] ?? null;
    }
    getAllResponseHeaders(): string {
      return Object.entries(this.answered)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
    }
    abort(): void {
      this.dispatchEvent(new Event('abort'));
    }
    send(body: unknown): void {
      this.sent.body = body;
      const answer = answers[transfers.length] ?? 200;
      transfers.push(this.sent);
      if (answer === 'never') return;
      const { status, body: text = '', headers = {} } = typeof answer === 'number' ? { status: answer } : answer;
      queueMicrotask(() => {
        this.status = status;
        this.responseText = text;
        this.answered = { etag: '"e1"', ...headers };
        this.dispatchEvent(new Event(status === 0 ? 'error' : 'load'));
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', StorageRequest);
  return transfers;
}
