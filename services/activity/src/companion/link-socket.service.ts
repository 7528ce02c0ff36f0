import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { SessionLiveness } from '@caravan/auth/session-liveness';
import { companionSocketPath } from '@caravan/contracts/http/companion';
import { Rejected } from '@caravan/kernel/rejected';
import { problemOf } from '@caravan/kernel/problem';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { LinkImports } from './link-imports.service.ts';
import { WantedLinks } from './wanted-links.client.ts';

/** Of a message that the panel sends: one word. */
const mostBytes = 1_024;
const goingAway = 1_001;
const paths = new RegExp(`^${companionSocketPath}/([\\w-]{1,100})$`);

/**
 * The socket `/companion/api/{token}` (7.37): who opens it has what the token stands for fetched. A browser sends no
 * bearer with a socket: the token is the caller's, and as good as the session it was given in.
 */
@Injectable()
export class LinkSocket implements OnModuleInit {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false });

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(LinkImports) private readonly imports: LinkImports,
    @Inject(WantedLinks) private readonly wanted: WantedLinks,
    @Inject(SessionLiveness) private readonly sessions: SessionLiveness,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket, head) => void this.open(request, socket, head));
    fastify.addHook('preClose', (done) => {
      for (const socket of this.sockets.clients) socket.close(goingAway);
      done();
    });
  }

  private async open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const token = await this.admit(request.url ?? '');
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.serve(opened, token));
    } catch (error) {
      const { status } = problemOf(error);
      socket.end(`HTTP/1.1 ${status} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    }
  }

  private async admit(url: string): Promise<string> {
    const [, token = ''] = paths.exec(url) ?? [];
    const wanted = await this.wanted.find(token);
    if (!wanted) throw new Rejected('request/not-found', 'not-found', 'Not found');
    await this.sessions.assertLive(wanted.sessionId);
    return token;
  }

  private serve(socket: WebSocket, token: string): void {
    const closed = new AbortController();
    socket.on('error', () => socket.terminate());
    socket.on('close', () => closed.abort());
    // Pausing is for what a browser sends itself, as with Companion.
    socket.on('message', (data: Buffer) => {
      if (!isCancelling(data)) return;
      closed.abort();
      void this.imports.forget(token).catch(() => undefined);
      socket.close();
    });
    const tell = (news: object) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(news));
    };
    this.imports.run(token, { signal: closed.signal, tell }).then(
      () => socket.close(),
      () => socket.terminate(),
    );
  }
}

function isCancelling(data: Buffer): boolean {
  try {
    return (JSON.parse(data.toString()) as { action?: unknown } | null)?.action === 'cancel';
  } catch {
    return false;
  }
}
