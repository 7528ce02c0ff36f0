import { networkOf } from '@caravan/service-kit/http/network';
import type { UploadAddresses } from '@caravan/service-kit/storage/upload-address';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Connections } from '../admission/connections.ts';
import { markFromMember } from '../admission/member-requests.ts';
import { settleBody } from '../admission/refused-bodies.ts';
import type { RequestBodies } from '../admission/request-bodies.ts';
import { NotSigned, readSignedUpload, type SignedUpload, uploadsPath } from '../admission/signed-upload.ts';
import type { Uploads } from './uploads.ts';

type Parts = {
  readonly uploads: Uploads;
  readonly uploadAddresses: UploadAddresses;
  readonly admission: AdmissionControl;
  readonly bodies: RequestBodies;
  readonly connections: Pick<Connections, 'spare'>;
};

export function addUploadRoute(app: FastifyInstance, parts: Parts): void {
  const { admission, uploadAddresses, uploads, bodies, connections } = parts;
  /** Forged addresses are counted apart, so that they use up no network's real uploads. */
  const verify = async (request: FastifyRequest): Promise<SignedUpload> => {
    try {
      return readSignedUpload(uploadAddresses, request.raw);
    } catch (error) {
      if (error instanceof NotSigned) await admission.countOpen(`PUT ${uploadsPath} not signed`, request.ip);
      throw error;
    }
  };
  const take = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const upload = await verify(request);
    markFromMember(request, connections);
    await admission.countOpen(`PUT ${uploadsPath}`, request.ip);
    const answer = await uploads.pass(upload, request.raw, networkOf(request.ip));
    if (!answer) return reply.hijack();
    const { status, etag, refusal } = answer;
    void reply.code(status);
    if (etag !== undefined) void reply.header('etag', etag);
    settleBody(bodies, request, reply);
    return refusal === undefined ? reply.send() : reply.type('application/xml').send(refusal);
  };
  void app.register((scope, _options, done) => {
    // Nothing of the body is read before the storage asks for it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    // The signature in the address is the right to it.
    scope.put(`${uploadsPath}/*`, { config: { access: 'public' } }, take);
    done();
  });
}
