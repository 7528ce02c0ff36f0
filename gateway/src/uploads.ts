import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/event-store/rejected';
import { isAway } from '@caravan/service-kit/problem';
import { objectsPath, sizeParameter } from '@caravan/service-kit/storage-address';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Pool } from 'undici';
import type { AdmissionControl } from './admission-control.ts';
import { type Turn, UploadTurns } from './upload-turns.ts';

const connections = 128;
const mostWaiting = 512;
/** As many as the addresses that somebody is given in an hour. */
const mostPerPerson = 30;
const connectMilliseconds = 1_800;
/** Without a byte from the one side or the other. */
const idleMilliseconds = 20_000;
/** As long as an address is good: 10 MiB at 140 kbit/s. */
export const uploadMilliseconds = 600_000;
/** Waits before the storage's connection, besides what the system's own buffers hold. */
const oneChunk = { objectMode: false, highWaterMark: 1 };
const mostRefusalBytes = 65_536;
/** What is read of a file that is refused, so that its sender hears why instead of a broken connection. */
const mostDiscardedBytes = 4 * mostPhotoBytes;

const part = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
export const uploadsPath = `${objectsPath}/incoming`;
const uploadPath = new RegExp(`^${objectsPath}(/incoming/${part}/(${part})/${part})$`);

/** Any other one means another operation of S3. */
const parameters = new Set(
  [
    ...['X-Amz-Algorithm', 'X-Amz-Content-Sha256', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Expires'],
    ...['X-Amz-Security-Token', 'X-Amz-Signature', 'X-Amz-SignedHeaders', 'x-amz-checksum-crc32'],
    ...['x-amz-sdk-checksum-algorithm', 'x-id', 'partNumber', 'uploadId', sizeParameter],
  ].map((name) => name.toLowerCase()),
);

const forwardedHeaders = ['content-type', 'content-length', 'content-md5'] as const;

type Upload = { readonly path: string; readonly userId: string; readonly bytes: number };
export type UploadAnswer = { readonly status: number; readonly etag?: string; readonly refusal?: string };

/** Passes files on to the storage, which checks their signatures, and keeps none of them (D42, ADR 0059). */
export class Uploads {
  private readonly pool: Pool;
  private readonly bucketPath: string;
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(
    bucketUrl: string,
    private readonly turns = new UploadTurns(),
  ) {
    const { origin, pathname } = new URL(bucketUrl);
    this.bucketPath = pathname === '/' ? '' : pathname;
    this.pool = new Pool(origin, { connections, pipelining: 1, connectTimeout: connectMilliseconds });
  }

  /** Throws `Rejected`, and answers nothing to who has left. */
  async pass(request: IncomingMessage): Promise<UploadAnswer | undefined> {
    const upload = uploadOf(request);
    const mine = this.running.get(upload.userId) ?? 0;
    if (mine >= mostPerPerson) throw tooMany();
    if (this.total >= connections + mostWaiting) throw unavailable();
    this.running.set(upload.userId, mine + 1);
    this.total += 1;
    try {
      return await this.send(upload, request);
    } catch (error) {
      if (request.destroyed && !request.complete) return undefined;
      throw error instanceof Rejected ? error : isStorageAway(error) ? unavailable() : error;
    } finally {
      this.total -= 1;
      const left = (this.running.get(upload.userId) ?? 1) - 1;
      if (left > 0) this.running.set(upload.userId, left);
      else this.running.delete(upload.userId);
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async send({ path, bytes }: Upload, request: IncomingMessage): Promise<UploadAnswer> {
    const watch = new Watch();
    const headers: Record<string, string | string[]> = {};
    for (const name of forwardedHeaders) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    try {
      const answer = await this.pool.request({
        ...{ method: 'PUT', path: `${this.bucketPath}${path}`, headers, signal: watch.signal },
        body: bytes === 0 ? null : Readable.from(this.arriving(request, watch), oneChunk),
        ...{ headersTimeout: idleMilliseconds, bodyTimeout: idleMilliseconds },
      });
      const status = answer.statusCode;
      if (status < 300) {
        await answer.body.dump();
        return { status, ...(answer.headers.etag !== undefined && { etag: String(answer.headers.etag) }) };
      }
      return { status, refusal: refusalOf((await answer.body.text()).slice(0, mostRefusalBytes)) };
    } catch (error) {
      throw watch.signal.aborted ? watch.signal.reason : error;
    } finally {
      watch.end();
    }
  }

  /** Read only as fast as the storage takes it, and in turns. What comes after the storage has answered is thrown away. */
  private async *arriving(request: IncomingMessage, watch: Watch): AsyncGenerator<Buffer> {
    try {
      watch.moved();
      watch.isReading = true;
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        watch.moved();
        watch.isReading = false;
        if (watch.turn?.isOver !== false) watch.turn = await this.turns.next();
        yield chunk;
        watch.isReading = true;
      }
    } finally {
      // Given to who had given up meanwhile.
      if (watch.isOver) watch.turn?.end();
      request.resume();
    }
  }
}

/** Gives up an upload that stands still, and says which side does. */
class Watch {
  isReading = false;
  isOver = false;
  turn: Turn | undefined;
  private readonly giving = new AbortController();
  private readonly whole = setTimeout(() => this.giving.abort(tooSlow()), uploadMilliseconds);
  private idle: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.giving.signal;
  }

  moved(): void {
    if (this.idle) this.idle.refresh();
    else this.idle = setTimeout(() => this.giving.abort(this.isReading ? tooSlow() : unavailable()), idleMilliseconds);
  }

  end(): void {
    clearTimeout(this.whole);
    clearTimeout(this.idle);
    this.isOver = true;
    this.turn?.end();
  }
}

function discardRest(request: IncomingMessage): void {
  let left = mostDiscardedBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}

function uploadOf({ url = '', headers }: IncomingMessage): Upload {
  const [path = '', query = ''] = url.split('?', 2);
  const [, key, userId] = uploadPath.exec(path) ?? [];
  const given = new URLSearchParams(query);
  if (key === undefined || userId === undefined) throw new Rejected('request/not-found', 'not-found', 'Not found');
  for (const name of given.keys()) if (!parameters.has(name.toLowerCase())) throw notSigned();
  if (!given.has('X-Amz-Signature')) throw notSigned();
  const length = headers['content-length'];
  if (length === undefined)
    throw new Rejected('upload/no-length', 'no-length', 'Say in Content-Length how large the file is');
  const bytes = Number(length);
  if (bytes > mostPhotoBytes) throw new Rejected('upload/too-large', 'too-large', photoWords.tooLarge);
  const announced = given.get(sizeParameter);
  if (announced !== null && Number(announced) !== bytes)
    throw new Rejected('upload/other-size', 'too-large', `This address takes a file of ${announced} bytes`);
  return { path: `${key}?${query}`, userId, bytes };
}

/** The panel asks for another address when it reads `Request has expired`; names of hosts and keys stay inside. */
function refusalOf(document: string): string {
  const word = (name: string) => new RegExp(`<${name}>([^<>]{0,500})</${name}>`).exec(document)?.[1] ?? '';
  const says = ['Code', 'Message'].map((name) => `<${name}>${word(name)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${says}</Error>`;
}

export function addUploadRoute(
  app: FastifyInstance,
  { uploads, admission, headers }: { uploads: Uploads; admission: AdmissionControl; headers: Record<string, string> },
): void {
  const take = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    await admission.countOpen(`PUT ${uploadsPath}`, request.ip);
    const answer = await uploads.pass(request.raw);
    if (!answer) return reply.hijack();
    const { status, etag, refusal } = answer;
    void reply.code(status).headers(headers);
    if (etag !== undefined) void reply.header('etag', etag);
    return refusal === undefined ? reply.send() : reply.type('application/xml').send(refusal);
  };
  void app.register((scope, _options, done) => {
    // Nothing of the body is read before the storage asks for it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.addHook('onSend', (request, _reply, _payload, sent) => {
      discardRest(request.raw);
      sent();
    });
    scope.put(`${uploadsPath}/*`, take);
    done();
  });
}

function isStorageAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isAway(error) || code.startsWith('UND_ERR_');
}

const notSigned = () =>
  new Rejected(
    'upload/not-signed',
    'forbidden',
    'Files are sent to an address that was given for them, as it was given',
  );
const tooMany = () =>
  new Rejected('upload/too-many', 'too-many', 'Too many files are on their way. Please wait until some have arrived.', {
    retryAfterSeconds: 5,
  });
const tooSlow = () =>
  new Rejected('upload/too-slow', 'too-slow', 'The file took too long to arrive. Please try again.');
const unavailable = () =>
  new Rejected('upload/storage-unavailable', 'unavailable', 'Photos cannot be stored right now. Please try again.', {
    retryAfterSeconds: 5,
  });
