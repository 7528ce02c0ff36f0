import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Rejected } from '@caravan/kernel/rejected';
import { isAway } from '@caravan/kernel/problem';
import { Pool } from 'undici';
import { type SignedUpload, sizeOf } from '../admission/signed-upload.ts';
import { StorageConnections } from './storage-connections.ts';
import { expiredRefusal, withoutNames } from './storage-refusal.ts';
import { UploadPlaces } from './upload-places.ts';
import { UploadTurns } from './upload-turns.ts';
import { idleMilliseconds, UploadWatch } from './upload-watch.ts';

const connections = 128;
const mostWaiting = 512;
const total = connections + mostWaiting;
/** As many as the addresses that somebody is given in an hour. */
const perPerson = 30;
const connectMilliseconds = 1_800;
/** Waits before the storage's connection, besides what the system's own buffers hold. */
const oneChunk = { objectMode: false, highWaterMark: 1 };
const mostRefusalBytes = 65_536;

const forwardedHeaders = ['content-type', 'content-length', 'content-md5'] as const;

export type UploadAnswer = { readonly status: number; readonly etag?: string; readonly refusal?: string };

/** Passes files on to the storage, which checks their signatures, and keeps none of them (D42, ADR 0059). */
export class Uploads {
  private readonly pool: Pool;
  private readonly bucketPath: string;
  private readonly storage = new StorageConnections({ total: connections, perNetwork: connections / 2 });
  private readonly places = new UploadPlaces({ total, perNetwork: total / 2, perPerson });

  constructor(
    bucketUrl: string,
    private readonly turns = new UploadTurns(),
  ) {
    const { origin, pathname } = new URL(bucketUrl);
    this.bucketPath = pathname === '/' ? '' : pathname;
    this.pool = new Pool(origin, { connections, pipelining: 1, connectTimeout: connectMilliseconds });
  }

  /** Throws `Rejected`. Returns undefined when the client has left. @param network of the sender, see `networkOf` */
  async pass(upload: SignedUpload, request: IncomingMessage, network: string): Promise<UploadAnswer | undefined> {
    // No place is taken by an address that has run out, however often it is used.
    if (upload.expiresAt <= Date.now()) return { status: 403, refusal: expiredRefusal() };
    const bytes = sizeOf(upload, request);
    try {
      return await this.places.during({ userId: upload.userId, network }, () =>
        this.send(upload, bytes, request, network),
      );
    } catch (error) {
      if (request.destroyed && !request.complete) return undefined;
      if (!(error instanceof Rejected) && isStorageAway(error)) throw unavailable();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async send(
    { path }: SignedUpload,
    bytes: number,
    request: IncomingMessage,
    network: string,
  ): Promise<UploadAnswer> {
    const watch = new UploadWatch({ tooSlow, unavailable });
    const headers: Record<string, string | string[]> = {};
    for (const name of forwardedHeaders) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const put = async (): Promise<UploadAnswer> => {
      watch.start();
      const answer = await this.pool.request({
        method: 'PUT',
        path: `${this.bucketPath}${path}`,
        headers,
        signal: watch.signal,
        body: bytes === 0 ? null : Readable.from(this.arriving(request, watch), oneChunk),
        headersTimeout: idleMilliseconds,
        bodyTimeout: idleMilliseconds,
      });
      const status = answer.statusCode;
      if (status < 300) {
        await answer.body.dump();
        return { status, ...(answer.headers.etag !== undefined && { etag: String(answer.headers.etag) }) };
      }
      return { status, refusal: withoutNames((await answer.body.text()).slice(0, mostRefusalBytes)) };
    };
    try {
      return await this.storage.during(network, AbortSignal.any([watch.signal, leavingOf(request)]), put);
    } catch (error) {
      throw watch.signal.aborted ? watch.signal.reason : error;
    } finally {
      watch.end();
    }
  }

  /** Read only as fast as the storage takes it, and in turns. What comes after the storage has answered is thrown away. */
  private async *arriving(request: IncomingMessage, watch: UploadWatch): AsyncGenerator<Buffer> {
    try {
      watch.recordProgress();
      watch.isReading = true;
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        watch.recordProgress();
        watch.isReading = false;
        if (watch.turn?.isOver !== false) watch.turn = await this.turns.next();
        yield chunk;
        watch.isReading = true;
      }
    } finally {
      // The turn may have come after the upload was given up.
      if (watch.isOver) watch.turn?.end();
      request.resume();
    }
  }
}

/** Aborted when the client leaves. */
function leavingOf(request: IncomingMessage): AbortSignal {
  const leaving = new AbortController();
  if (request.destroyed) leaving.abort();
  else request.once('close', () => leaving.abort());
  return leaving.signal;
}

function isStorageAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isAway(error) || code.startsWith('UND_ERR_');
}

const tooSlow = () =>
  new Rejected('upload/too-slow', 'too-slow', 'The file took too long to arrive. Please try again.');
const unavailable = () =>
  new Rejected('storage/unavailable', 'unavailable', 'Photos cannot be stored right now. Please try again.', {
    retryAfterSeconds: 5,
  });
