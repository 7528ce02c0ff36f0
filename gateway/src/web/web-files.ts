import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { declareAccess } from '../admission/route-access.ts';

const yearSeconds = 31_536_000;

const webManifestSchema = z.object({ scriptHashes: z.array(z.string()) });

export function readScriptHashes(webRoot: string): string[] {
  return webManifestSchema.parse(JSON.parse(readFileSync(join(webRoot, 'csp.json'), 'utf8'))).scriptHashes;
}

export function countFiles(admission: AdmissionControl): (request: FastifyRequest) => Promise<void> {
  return async ({ url, ip }) => {
    if (!/^\/(api|health|\.well-known)([/?]|$)/.test(url)) await admission.countFile(ip);
  };
}

/** Every path that is no file and no part of the API answers the page, whose router shows the screen or 'Page Not Found'. */
export async function serveWebApp(
  app: FastifyInstance,
  webRoot: string,
  headers: Readonly<Record<string, string>>,
  notice: { readonly headers: Readonly<Record<string, string>> },
): Promise<void> {
  await app.register(async (scope) => {
    declareAccess(scope, 'public');
    await scope.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      preCompressed: true,
      index: false,
      cacheControl: false,
      globIgnore: ['**/*.br', '**/*.gz', '**/*.map', 'index.html', 'csp.json'],
      setHeaders: (reply, path) => {
        void reply.headers(headers);
        const isHashed = path.includes('/assets/');
        void reply.header('cache-control', isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      },
    });
    scope.get('/*', (request, reply) => {
      const wantsPage = !/^\/(api|objects|companion)([/?]|$)/.test(request.url) && !/\.\w{2,5}($|\?)/.test(request.url);
      if (wantsPage) return reply.headers(notice.headers).sendFile('index.html');
      reply.callNotFound();
      return reply;
    });
  });
}
