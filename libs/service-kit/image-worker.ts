import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Rejected } from '@caravan/event-store/rejected';
import {
  formatOf,
  type ImageAnswer,
  type ImageFormat,
  type ImageLimits,
  imageLimits,
  type ImageRefusal,
  type ImageRequest,
  type Rendition,
} from './images.ts';
import type { Log } from './log.ts';

/** A file of which no picture was made, and why; the caller words it for people. */
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
  /** Pictures decoded at the same time, each by a process of its own. */
  readonly processes: number;
  /** Resident memory of one process, its own 70 MB included. */
  readonly megabytes: number;
  /** From its start to its answer; then it is killed. */
  readonly seconds: number;
  /** Another program than the product's, in its proofs. */
  readonly program?: URL;
};

const mostWaitingPerProcess = 8;
/** V8 reserves about 700 MB of data that it never touches. */
const reservedMegabytes = 1_024;

// A bundle has the program beside it, the sources have it as TypeScript.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? 'image-process.ts' : 'image-process.js', import.meta.url);

/**
 * Makes pictures of untrusted files. No file is decoded in the process that serves requests: each gets a process without
 * settings, bounded in memory and processor time by the system and by itself, and killed when its time is over. A few run
 * at once, some more wait, and who comes after them hears 503.
 */
export class ImageWorker {
  private readonly running = new Set<ChildProcess>();
  private readonly waiting: (() => void)[] = [];
  private readonly options: ImageWorkerOptions;
  private busy = 0;
  private isClosed = false;

  constructor(options: ImageWorkerOptions) {
    this.options = options;
  }

  /** Process ids of the pictures being decoded. */
  get pids(): number[] {
    return [...this.running].flatMap(({ pid = [] }) => pid);
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /**
   * The first frame of a PNG, JPEG, WebP or GIF in the sizes asked for, upright, with nothing of the file but the picture.
   * Throws `ImageRefused`, or `Rejected` (503) when too many wait already.
   */
  async render(
    file: Buffer,
    renditions: readonly Rendition[],
    limits: ImageLimits = imageLimits,
  ): Promise<readonly Buffer[]> {
    const format = formatOf(file, limits);
    if (typeof format === 'object') throw new ImageRefused(format.refusal);
    await this.turn();
    try {
      if (this.isClosed) throw tooMany(this.options.seconds);
      const answer = await this.decode({ file, format, renditions, limits, mostMegabytes: this.options.megabytes });
      if ('refusal' in answer) throw new ImageRefused(answer.refusal);
      return answer.pictures.map((picture) => Buffer.from(picture));
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy -= 1;
    }
  }

  /** Ends what runs; at the end of the service. Who waits hears 503. */
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

  /** A process that dies, hangs or grows has met a picture that costs too much. */
  private decode(request: ImageRequest): Promise<ImageAnswer> {
    const { promise, resolve } = Promise.withResolvers<ImageAnswer>();
    const child = this.start();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, this.options.seconds * 1_000);
    let answer: ImageAnswer | undefined;
    child.once('message', (message) => {
      answer = message as ImageAnswer;
      // Threads of its own may still be decoding; an exit would wait for them.
      child.kill('SIGKILL');
    });
    // A process that was never there sends no more than this.
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

  /** Limits of the system hold from the first instruction; those it does not know (data, on macOS) are passed over. */
  private start(): ChildProcess {
    const { megabytes, seconds, program = ownProgram } = this.options;
    const data = (megabytes + reservedMegabytes) * 1_024;
    const script = `ulimit -c 0; ulimit -d ${data}; ulimit -t ${Math.ceil(seconds) * 2}; exec "$@"`;
    const command = [process.execPath, '--max-old-space-size=64', fileURLToPath(program)];
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Nothing of ours: no address, no secret. Fewer heaps of malloc, so that resident memory is what was asked for.
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
