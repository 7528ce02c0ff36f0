// Holds the right to the storage and none of the product's other settings. Whom it may serve is decided before it.
import { timingSafeEqual } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import express from 'express';
// Companion's own files: the package's entry point loads the sign-in of every cloud drive as well (ADR 0101).
import storageCalls from '../../../../node_modules/@uppy/companion/lib/server/controllers/s3.js';
import storageClient from '../../../../node_modules/@uppy/companion/lib/server/s3-client.js';
import type { CompanionSettings } from './companion.client.ts';

const httpAgent = new Agent({ keepAlive: true, maxSockets: 32 });
const httpsAgent = new TlsAgent({ keepAlive: true, maxSockets: 32 });
const signing = /^\/s3\/multipart\/[^/?]+\/(batch|\d+)\?/;

process.on('disconnect', () => process.exit());
process.once('message', (settings: CompanionSettings) => serve(settings));

function serve(settings: CompanionSettings): void {
  const inside = appFor(settings, settings.endpoint);
  // An address is signed for its host.
  const outside = settings.publicEndpoint === undefined ? inside : appFor(settings, settings.publicEndpoint);
  const server = createServer((request, response) => {
    if (!isKnown(request, settings.secret)) response.writeHead(401).end();
    else if (request.method === 'GET' && signing.test(request.url ?? '')) outside(request, response);
    else inside(request, response);
  });
  server.keepAliveTimeout = 30_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
  });
}

function isKnown({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(String(headers['x-companion-secret'] ?? ''));
  const known = Buffer.from(secret);
  return given.length === known.length && timingSafeEqual(given, known);
}

function appFor(settings: CompanionSettings, endpoint: string): RequestListener {
  const { bucket, region, accessKey: key, secretKey: secret, isPathStyle } = settings;
  const s3 = {
    bucket,
    region,
    endpoint,
    key,
    secret,
    forcePathStyle: isPathStyle,
    expires: settings.expiresInSeconds,
    getKey: ({ req }: { req: IncomingMessage }) => String(req.headers['x-object-key']),
    awsClientOptions: {
      // Else the checksum of an empty body would be part of what is signed.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      maxAttempts: 2,
      requestHandler: { httpAgent, httpsAgent, connectionTimeout: 2_000, requestTimeout: 8_000 },
    },
  };
  const companion = { s3Client: storageClient({ s3 }), options: {} };
  const app = express();
  app.disable('x-powered-by');
  app.use((request, _response, next) => {
    Object.assign(request, { companion });
    next();
  });
  app.use('/s3', storageCalls(s3));
  app.use((error: unknown, _request: unknown, response: Refusing, _next: unknown) => {
    const { name, $metadata, statusCode } = error as S3Error;
    response.status($metadata?.httpStatusCode ?? statusCode ?? 503).json({ code: name });
  });
  return app;
}

type S3Error = {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly statusCode?: number;
};
type Refusing = { status(status: number): { json(body: object): unknown } };
