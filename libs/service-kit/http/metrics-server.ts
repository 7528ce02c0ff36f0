import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Metrics } from '../telemetry/metrics.ts';
import { securityHeaders, uncached } from './security-headers.ts';
import { refuseUnreadable } from './unreadable-requests.ts';

export type MetricsServer = { readonly url: string; readonly close: () => void };

export async function serveMetrics(
  { registry }: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const headers = { ...uncached, ...securityHeaders };
  const server = createServer((_request, response) => {
    response.setHeaders(new Headers(headers));
    registry.metrics().then(
      (text) => response.setHeader('content-type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket as Socket, headers));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  return { url: `http://${host}:${given}`, close: () => void server.close() };
}
