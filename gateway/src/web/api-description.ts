import { gzipSync } from 'node:zlib';
import { openApiDocument } from '@caravan/contracts/http/openapi';
import type { FastifyInstance } from 'fastify';
import { takesGzip } from '../routing/relay.ts';

type Description = { readonly text: string; readonly compressed: Buffer };

/** The same for everybody: made and compressed once, when somebody asks. */
export function describeApi(app: FastifyInstance): void {
  let description: Description | undefined;
  app.get('/api/openapi.json', { config: { access: 'public' } }, (request, reply) => {
    const { text, compressed } = (description ??= describe());
    reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
    return takesGzip(request.headers) ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(text);
  });
}

function describe(): Description {
  const text = JSON.stringify(openApiDocument());
  return { text, compressed: gzipSync(text, { level: 9 }) };
}
