import type { IncomingMessage } from 'node:http';
import { Rejected } from '@caravan/kernel/rejected';
import type { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { type BodyLimits, type BodyPlace, BodyPlaces } from './body-places.ts';
import type { Sender } from './member-requests.ts';

const kilobyte = 1024;
/** Largest body of a caller whose token was verified. */
export const signedInBodyBytes = 1024 * kilobyte;
/** Largest body of a caller without a token: a sign-in or a sign-up takes a few hundred bytes. */
export const openBodyBytes = 16 * kilobyte;
/** A platform tells of many members at once, and signs the bytes, which have to be there to be verified. */
export const deliveryBodyBytes = 256 * kilobyte;

/** A refused body that has not arrived by then loses its connection. */
const discardMilliseconds = 60_000;

/** Holds what arrives of bodies until they are whole, within limits by address, for strangers and in total. */
export class RequestBodies {
  private readonly places: BodyPlaces;

  constructor(limits: BodyLimits, metrics: Metrics) {
    this.places = new BodyPlaces(limits);
    metrics.gauge({
      name: 'caravan_unfinished_bodies',
      help: 'Bodies of requests that are arriving.',
      collect: (gauge) => gauge.set(this.places.total.bodies),
    });
    metrics.gauge({
      name: 'caravan_unfinished_body_bytes',
      help: 'Bytes held of bodies that are arriving.',
      collect: (gauge) => gauge.set(this.places.total.bytes),
    });
  }

  /** Throws `Rejected`: 413, 429, 503. */
  async read(request: IncomingMessage, sender: Sender, mostBytes: number): Promise<Buffer> {
    if (announcedBytes(request) > mostBytes) throw tooLarge();
    const place = this.places.take(sender);
    let bytes = 0;
    try {
      return await whole(request, (chunk) => {
        bytes += chunk.length;
        if (bytes > mostBytes) throw tooLarge();
        place.hold(chunk.length);
      });
    } finally {
      place.end();
    }
  }

  /** Reads a refused body and keeps nothing of it. False when it is too large or finds no place. */
  discard(request: IncomingMessage, sender: Sender, mostBytes: number): boolean {
    if (request.destroyed || request.socket.destroyed || announcedBytes(request) > mostBytes) return false;
    const place = this.placeOrNone(sender);
    if (place === undefined) return false;
    const { socket } = request;
    let left = mostBytes;
    const late = setTimeout(() => socket.destroy(), discardMilliseconds);
    const end = () => {
      clearTimeout(late);
      socket.off('close', end);
      request.off('end', end);
      place.end();
    };
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    // An answered request does not hear that its connection has broken.
    socket.once('close', end);
    request.once('end', end);
    request.resume();
    return true;
  }

  private placeOrNone(sender: Sender): BodyPlace | undefined {
    try {
      return this.places.take(sender);
    } catch (error) {
      if (error instanceof Rejected) return undefined;
      throw error;
    }
  }
}

/** Zero for a body that comes in chunks. */
const announcedBytes = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0);

/** @param hold is told of each part as it arrives; what it throws ends the reading. */
function whole(request: IncomingMessage, hold: (chunk: Buffer) => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer) => {
    try {
      hold(chunk);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = () => resolve(Buffer.concat(chunks));
  // An error is followed by this, and without one it says that the connection has broken.
  const onClose = () => reject(new Error('the connection broke before the body was whole'));
  request.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  return promise.finally(() => {
    chunks.length = 0;
    request.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
  });
}

const tooLarge = () => new Rejected('request/too-large', 'too-large', 'The request is too large');
