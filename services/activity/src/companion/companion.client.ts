import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { Unanswered } from '@caravan/service-kit/process/dependency';
import { trustEnv } from '@caravan/service-kit/process/env';
import type { Log } from '@caravan/service-kit/telemetry/log';
import type { ObjectSettings } from '@caravan/service-kit/storage/objects';
import { bucketUrlOf, publicAddressOf } from '@caravan/service-kit/storage/storage-address';

export type CompanionSettings = Omit<ObjectSettings, 'publicUrl' | 'serviceCredential'> & {
  readonly expiresInSeconds: number;
  readonly secret: string;
};

export type CompanionOptions = {
  readonly log: Log;
  readonly storage: ObjectSettings;
  /** How long the addresses are good that it signs. */
  readonly expiresInSeconds: number;
  /** After which the process ends that nobody asked for anything. */
  readonly idleSeconds?: number;
  readonly program?: URL;
};

export type CompanionRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/s3/`, made of what has been looked at. */
  readonly path: string;
  readonly body?: object;
  /** Of the object that is begun. */
  readonly key?: string;
};
export type CompanionAnswer = { readonly status: number; readonly body: unknown };

const connections = 16;
const mostWaiting = 128;
/** A second on a machine at rest; the gateway waits for thirty. */
const startMilliseconds = 25_000;
const answerMilliseconds = 20_000;
const heapMegabytes = 128;

const ownProgram = new URL(
  import.meta.url.endsWith('.ts') ? 'companion-process.client.ts' : 'companion-process.js',
  import.meta.url,
);

/** `@uppy/companion` in a process of its own, which is there only while it is asked for something (ADR 0059). */
export class Companion {
  private readonly options: CompanionOptions;
  private readonly secret = randomBytes(32).toString('base64url');
  private started: Promise<Pool> | undefined;
  private child: ChildProcess | undefined;
  private asked = 0;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: CompanionOptions) {
    this.options = options;
  }

  /** Undefined while nothing runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Whatever it answers, S3's refusals too. Throws `Unanswered`. */
  async ask({ method, path, body, key }: CompanionRequest): Promise<CompanionAnswer> {
    if (this.isClosed || this.asked >= mostWaiting) throw new Unanswered('companion');
    this.asked += 1;
    clearTimeout(this.idle);
    try {
      const pool = await (this.started ??= this.start());
      const answer = await pool.request({
        method,
        path: `/s3/${path}`,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: {
          'x-companion-secret': this.secret,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'x-object-key': key }),
        },
      });
      return { status: answer.statusCode, body: await answer.body.json() };
    } catch (error) {
      this.options.log.warn({ err: error, method }, 'companion did not answer');
      throw new Unanswered('companion');
    } finally {
      this.asked -= 1;
      if (this.asked === 0) this.endWhenIdle();
    }
  }

  /** The address that a browser is told in place of one that it signed. */
  publicAddress(signed: string): string {
    const { storage } = this.options;
    return storage.publicEndpoint === undefined ? publicAddressOf(signed, storage) : signed;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.end();
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.end(), (this.options.idleSeconds ?? 120) * 1_000).unref();
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle);
    const { started } = this;
    this.started = undefined;
    this.child?.kill('SIGKILL');
    const pool = await started?.catch(() => undefined);
    await pool?.destroy();
  }

  private async start(): Promise<Pool> {
    const { storage, expiresInSeconds, log, program = ownProgram } = this.options;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, fileURLToPath(program)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // None of the service's own settings.
      env: { NODE_ENV: 'production', ...trustEnv() },
    });
    this.child = child;
    const late = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`companion ended (${signal ?? code})`));
      if (this.child !== child) return;
      this.child = undefined;
      this.started = undefined;
    });
    const { publicUrl: _publicUrl, serviceCredential: _credential, ...place } = storage;
    const isPathStyle = new URL(bucketUrlOf(storage)).pathname !== '/';
    const settings: CompanionSettings = { ...place, isPathStyle, expiresInSeconds, secret: this.secret };
    child.send(settings, () => undefined);
    const port = await promise.finally(() => clearTimeout(late));
    log.info({ pid: child.pid }, 'companion runs');
    const timeOuts = { headersTimeout: answerMilliseconds, bodyTimeout: answerMilliseconds };
    return new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1, ...timeOuts });
  }
}
