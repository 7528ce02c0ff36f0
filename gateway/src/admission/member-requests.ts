import { networkOf } from '@caravan/service-kit/http/network';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Connections } from './connections.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A token or an address that a service signed was verified before anything of the body was read. */
    isFromMember: boolean;
  }
}

/** Marks requests with a verified token, once admission has looked at them. */
export function markMembers(app: FastifyInstance, connections: Pick<Connections, 'spare'>): void {
  app.decorateRequest('isFromMember', false);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.claims) markFromMember(request, connections);
    done();
  });
}

/** Members find places that strangers cannot take, and keep their connection. */
export function markFromMember(request: FastifyRequest, connections: Pick<Connections, 'spare'>): void {
  request.isFromMember = true;
  connections.spare(request.raw.socket);
}

export type Sender = {
  /** See `networkOf`. */
  readonly network: string;
  readonly isMember: boolean;
};

export const senderOf = ({ ip, isFromMember }: FastifyRequest): Sender => ({
  network: networkOf(ip),
  isMember: isFromMember,
});
