import { createServer, type IncomingMessage, request as ask, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const isPage = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-dest'] === 'document';

/** Stands between a browser and the product: it keeps files back until they are let go, and puts a script into pages. */
export class Between {
  /** Paths of the pages that the browser has navigated to, in their order. */
  readonly pages: string[] = [];
  /** Paths of every request, in their order. */
  readonly requests: string[] = [];
  /** Paths of the files that are kept back. */
  readonly kept: string[] = [];
  private isKept: (path: string) => boolean = () => false;
  private waiting: (() => void)[] = [];
  private readonly server: Server;

  private constructor(
    private readonly product: URL,
    private readonly script: string | undefined,
  ) {
    this.server = createServer((request, response) => this.pass(request, response));
  }

  /** @param script runs in every page before the page's own */
  static async open(product: string, script?: string): Promise<Between> {
    const between = new Between(new URL(product), script);
    await new Promise<void>((resolve) => between.server.listen(0, '127.0.0.1', resolve));
    return between;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * From now on files with such paths are not answered. Four at most: a browser opens six connections to one address, and
   * the next page needs one.
   */
  keepBack(isKept: (path: string) => boolean): void {
    this.isKept = (path) => this.waiting.length < 4 && isKept(path);
  }

  letGo(): void {
    this.isKept = () => false;
    for (const go of this.waiting.splice(0)) go();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    this.requests.push(path);
    if (isPage(request)) this.pages.push(path);
    if (!this.isKept(path)) return this.forward(request, response);
    this.kept.push(path);
    this.waiting.push(() => this.forward(request, response));
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = this.product;
    const changes = isPage(request) && this.script !== undefined;
    const headers = {
      ...request.headers,
      host: this.product.host,
      ...(request.headers.origin !== undefined && { origin }),
      ...(changes && { 'accept-encoding': 'identity' }),
    };
    const asked = ask(`${origin}${request.url ?? '/'}`, { method: request.method ?? 'GET', headers }, (answer) => {
      if (changes) return void this.answerChanged(answer, response);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  }

  /** Without the content security policy, which would refuse the script. */
  private async answerChanged(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const page = Buffer.concat(chunks).toString('utf8');
    const { 'content-security-policy': _policy, 'content-length': _length, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, headers);
    response.end(page.replace('<head>', `<head><script>${this.script ?? ''}</script>`));
  }
}
