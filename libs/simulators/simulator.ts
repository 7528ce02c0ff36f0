import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { Faults, misbehave } from './faults.ts';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Answer = {
  readonly status?: number;
  readonly json?: unknown;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
export type ServerOptions = {
  readonly port?: number;
  /** Where it listens. */
  readonly host?: string;
  /** By which other names it may be asked, beside this machine's. */
  readonly names?: readonly string[];
};

const mostBytes = 1_000_000;
const localNames = ['127.0.0.1', 'localhost'];

/** A server of one platform: its faults, and what it was asked. */
export class SimulatorServer {
  readonly faults = new Faults();
  /** Since the start or since a test emptied it. */
  calls: { readonly method: string; readonly path: string; readonly at: number }[] = [];
  private readonly server;
  private readonly names: ReadonlySet<string>;

  private constructor(
    private readonly answer: (asked: Asked) => Answer | Promise<Answer>,
    { names = [] }: ServerOptions,
  ) {
    this.names = new Set([...localNames, ...names]);
    this.server = createServer((request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
  }

  static async start(
    answer: (asked: Asked) => Answer | Promise<Answer>,
    options: ServerOptions,
  ): Promise<SimulatorServer> {
    const it = new SimulatorServer(answer, options);
    it.server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
    await once(it.server, 'listening');
    return it;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://simulator');
    const [host = ''] = (request.headers.host ?? '').split(':');
    // A page of elsewhere that has its name point here must not act here.
    if (!this.names.has(host)) return send(response, { status: 421, json: { message: 'Not here' } });
    const { method = 'GET', headers } = request;
    const body = await bodyOf(request);
    if (!path.startsWith('/simulator')) {
      this.calls.push({ method, path, at: Date.now() });
      if (this.calls.length > 10_000) this.calls.shift();
      const isPage = /\/(authorize|auth)$/.test(path);
      const fault = isPage ? undefined : this.faults.take(path);
      if (fault && (await misbehave(fault, response))) return;
    }
    send(response, await this.answer({ method, path, query, headers, body }));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status = 200, json, html, headers = {} }: Answer): void {
  const type = html === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    ...headers,
  });
  response.end(html ?? (json === undefined ? '' : JSON.stringify(json)));
}

/** Of a form or of JSON, as these platforms take both. */
export function fieldsOf({ body, headers, query }: Asked): Readonly<Record<string, string>> {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const given = isJson ? (jsonOf(body) as Record<string, unknown> | undefined) : undefined;
  const fields = given
    ? Object.entries(given).map(([name, value]) => [name, String(value)])
    : [...new URLSearchParams(body)];
  return Object.fromEntries([...query, ...fields]) as Record<string, string>;
}

export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export const bearerOf = ({ headers }: Asked): string => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';

/** Survives the end of the process; without a file nothing does. */
export class Kept<State> {
  constructor(private readonly file: string | undefined) {
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
  }

  read(): State | undefined {
    return this.file !== undefined && existsSync(this.file)
      ? (JSON.parse(readFileSync(this.file, 'utf8')) as State)
      : undefined;
  }

  write(state: State): void {
    if (this.file === undefined) return;
    writeFileSync(`${this.file}.part`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${this.file}.part`, this.file);
  }
}
