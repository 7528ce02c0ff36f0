import { mostPhotoBytes } from '@caravan/contracts/http/photos';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './arrival.ts';
import { senderOf } from './member-requests.ts';
import type { RequestBodies } from './request-bodies.ts';
import { uploadsPath } from './signed-upload.ts';

const mostReadBytes = 16 * 1024 * 1024;
/** A file that is refused is often one that is too large. */
const mostUploadBytes = 4 * mostPhotoBytes;
const mostForgedUploadBytes = 64 * 1024;

/**
 * A client that still sends when the connection closes may never see the answer. The rest of its body is read and
 * thrown away, within the places of unfinished bodies; the connection is closed where there is no place.
 */
export function settleBody(bodies: RequestBodies, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || !hasBody(raw)) return;
  const isDiscarded = bodies.discard(raw, senderOf(request), mostBytesOf(request));
  void reply.header('connection', isDiscarded ? 'keep-alive' : 'close');
}

function mostBytesOf({ routeOptions, isFromMember }: FastifyRequest): number {
  if (routeOptions.url?.startsWith(uploadsPath) !== true) return mostReadBytes;
  return isFromMember ? mostUploadBytes : mostForgedUploadBytes;
}
