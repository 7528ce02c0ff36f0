import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Rejected } from '@caravan/kernel/rejected';
import {
  formatOf,
  type ImageAnswer,
  type ImageFormat,
  type ImageLimits,
  imageLimits,
  type ImageRefusal,
  type ImageRequest,
  type Picture,
  type Rendition,
} from './images.ts';
import type { Log } from '../telemetry/log.ts';

export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  readonly refusal: ImageRefusal;

  constructor(refusal: ImageRefusal) {
    super(`image refused: ${refusal}`);
    this.refusal = refusal;
  }
}

export type ImageWorkerOptions = {
  readonly log: Log;
  readonly processes: number;
  /** Of one process, its own 70 MB included. */
  readonly megabytes: number;
  /** Of a processor. */
  readonly seconds: number;
  /** How often as long a process may take by the clock, since a busy machine gives it a part of a processor only. */
  readonly patience?: number;
  readonly program?: URL;
};

const mostWaitingPerProcess = 8;
/** Of a photo's ten seconds it makes less than the gateway waits. */
const usualPatience = 2.5;
/** V8 reserves about 700 MB of data that it never touches. */
const reservedMegabytes = 1_024;

const ownProgram = new URL(import.meta.url.endsWith('.ts') ? 'image-process.ts' : 'image-process.js', import.meta.url);

/** Each untrusted file is decoded in a process without settings, bounded in memory and time. */
export class ImageWorker {
  private readonly running = new Set<ChildProcess>();
  private readonly waiting: (() => void)[] = [];
  private readonly options: ImageWorkerOptions;
  private busy = 0;
  private isClosed = false;

  constructor(options: ImageWorkerOptions) {
    this.options = options;
  }

  get pids(): number[] {
    return [...this.running].flatMap(({ pid = [] }) => pid);
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /**
   * First frame, upright. Throws `ImageRefused`, or `Rejected` (503) when too many wait. A file that is fetched comes into
   * memory when its turn does.
   */
  async render(
    source: Buffer | (() => Promise<Buffer>),
    renditions: readonly Rendition[],
    limits: ImageLimits = imageLimits,
  ): Promise<readonly Picture[]> {
    await this.turn();
    try {
      if (this.isClosed) throw tooMany(this.options.seconds);
      const file = Buffer.isBuffer(source) ? source : await source();
      const format = formatOf(file, limits);
      if (typeof format === 'object') throw new ImageRefused(format.refusal);
      const answer = await this.decode({ file, format, renditions, limits, mostMegabytes: this.options.megabytes });
      if ('refusal' in answer) throw new ImageRefused(answer.refusal);
      return answer.pictures;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy -= 1;
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    for (const child of this.running) child.kill('SIGKILL');
  }

  private turn(): Promise<void> | undefined {
    const { processes, seconds } = this.options;
    if (this.busy < processes) {
      this.busy += 1;
      return undefined;
    }
    if (this.waiting.length >= processes * mostWaitingPerProcess) throw tooMany(seconds);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    return promise;
  }

  private decode(request: ImageRequest): Promise<ImageAnswer> {
    const { promise, resolve } = Promise.withResolvers<ImageAnswer>();
    const seconds = request.limits.seconds ?? this.options.seconds;
    const mostMilliseconds = seconds * 1_000 * (this.options.patience ?? usualPatience);
    const child = this.start(seconds);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, mostMilliseconds);
    let answer: ImageAnswer | undefined;
    child.once('message', (message) => {
      answer = message as ImageAnswer;
      // Its threads may still be decoding; an exit would wait for them.
      child.kill('SIGKILL');
    });
    child.once('error', (error) => this.options.log.error({ err: error }, 'no process for a picture'));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      this.running.delete(child);
      if (!answer) this.options.log.warn({ ...about(request), code, signal, isLate }, 'a picture ended its process');
      resolve(answer ?? { refusal: 'too-expensive' });
    });
    child.send(request, () => undefined);
    return promise;
  }

  private start(seconds: number): ChildProcess {
    const { megabytes, program = ownProgram } = this.options;
    const data = (megabytes + reservedMegabytes) * 1_024;
    const script = `ulimit -c 0; ulimit -d ${data}; ulimit -t ${Math.ceil(seconds)}; exec "$@"`;
    const command = [process.execPath, '--max-old-space-size=64', fileURLToPath(program)];
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // No address, no secret. Fewer heaps of malloc keep resident memory to what was asked for.
      env: { MALLOC_ARENA_MAX: '2' },
    });
    this.running.add(child);
    return child;
  }
}

const about = ({ file, format }: { file: Buffer; format: ImageFormat }) => ({ bytes: file.length, format });

function tooMany(seconds: number): Rejected {
  return new Rejected('image/too-many', 'unavailable', 'Too many images are being read right now. Please try again.', {
    retryAfterSeconds: Math.ceil(seconds),
  });
}
