import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type MailServer, startMailServer } from '@caravan/service-kit/testing/mail-server';
import { KeptMails } from './kept-mails.ts';
import { listPage, mailPage, mailPolicy, pagePolicy } from './pages.ts';

export type Mailbox = { readonly smtp: string; readonly http: string; readonly close: () => Promise<void> };

export async function startMailbox(
  folder: string,
  ports: { smtp: number; http: number },
  host = '127.0.0.1',
): Promise<Mailbox> {
  const kept = new KeptMails(folder);
  const smtp = await startMailServer(ports.smtp, (mail) => kept.keep(mail), host);
  const server = createServer((request, answer) => respond(kept, request, answer));
  server.listen(ports.http, host);
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : ports.http;
  return { smtp: smtp.url, http: `http://127.0.0.1:${port}`, close: () => close(server, smtp) };
}

async function close(server: ReturnType<typeof createServer>, smtp: MailServer): Promise<void> {
  server.close();
  server.closeAllConnections();
  await smtp.close();
}

function respond(kept: KeptMails, { method, url, headers }: IncomingMessage, answer: ServerResponse): void {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://mailbox');
  const send = (status: number, type: string, body: string, policy = pagePolicy): void => {
    answer.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    answer.end(method === 'HEAD' ? undefined : body);
  };
  // A page of elsewhere that has its name point here must not read mails.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '')) return send(421, 'text/plain', 'Not here');
  if (method !== 'GET' && method !== 'HEAD') return send(405, 'text/plain', 'Method not allowed');
  if (pathname === '/') return send(200, 'text/html', listPage(kept.list()));
  if (pathname === '/messages') {
    return send(200, 'application/json', JSON.stringify(kept.list(searchParams.get('to') ?? undefined)));
  }
  const [, id = '', isHtml] = /^\/mails\/([0-9a-f-]{36})(\/html)?$/.exec(pathname) ?? [];
  const mail = id === '' ? undefined : kept.find(id);
  if (!mail) return send(404, 'text/plain', 'Not found');
  if (isHtml !== undefined) return send(200, 'text/html', mail.html, mailPolicy);
  return send(200, 'text/html', mailPage(mail));
}
