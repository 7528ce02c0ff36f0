import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Rejected } from '@caravan/kernel/rejected';

export type DrawingRequest = {
  readonly id: number;
  readonly svg: string;
  readonly fontFiles: readonly string[];
  readonly fontFamily: string;
};
export type DrawingAnswer = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string });

type Waiting = { readonly resolve: (png: Buffer) => void; readonly reject: (error: Error) => void };

const mostWaiting = 16;
const mostMilliseconds = 10_000;

const program = new URL(
  import.meta.url.endsWith('.ts') ? 'drawing-thread.client.ts' : 'drawing-thread.js',
  import.meta.url,
);

/** Draws our own SVG documents as PNG in one thread, which starts with the first; never for files of others. */
export class Drawing {
  private readonly waiting = new Map<number, Waiting>();
  private readonly fonts: Pick<DrawingRequest, 'fontFiles' | 'fontFamily'>;
  private thread: Worker | undefined;
  private last = 0;

  constructor({ fonts, fontFamily }: { fonts: readonly URL[]; fontFamily: string }) {
    this.fonts = { fontFiles: fonts.map((font) => fileURLToPath(font)), fontFamily };
  }

  /** Throws `Rejected` (503) when too many wait. */
  async png(svg: string): Promise<Buffer> {
    if (this.waiting.size >= mostWaiting)
      throw new Rejected('picture/too-many', 'unavailable', 'Too many pictures are being drawn. Please try again.', {
        retryAfterSeconds: 1,
      });
    const id = (this.last += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => void this.end(new Error('a picture took too long')), mostMilliseconds);
    try {
      this.start().postMessage({ id, svg, ...this.fonts } satisfies DrawingRequest);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.end(new Error('stopping'));
  }

  private start(): Worker {
    if (this.thread) return this.thread;
    // No setting, no secret: it needs none.
    const thread = new Worker(program, { env: {}, execArgv: [] });
    thread.unref();
    thread.on('message', (answer: DrawingAnswer) => {
      const waiting = this.waiting.get(answer.id);
      if ('png' in answer) waiting?.resolve(Buffer.from(answer.png));
      else waiting?.reject(new Error(answer.error));
    });
    thread.on('error', (error: Error) => void this.end(error, thread));
    thread.on('exit', () => void this.end(new Error('the drawing thread has ended'), thread));
    this.thread = thread;
    return thread;
  }

  /** Whoever waits is refused; the next picture starts another thread. */
  private async end(error: Error, thread = this.thread): Promise<void> {
    if (thread === undefined || thread !== this.thread) return;
    this.thread = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    await thread.terminate();
  }
}
