import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf } from '@caravan/kernel/problem';

type Headers = Readonly<Record<string, string>>;

const statusOfCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what Node's parser refuses, before any handler knows of a request, with a problem document like every other
 * refusal. For `clientErrorHandler`; the connection ends with the answer.
 */
export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket, headers: Headers): void {
  // The client has left, or an answer is on its way already, in whose middle this would stand.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy(error);
  const answer = problemWith(statusOfCode[error.code ?? ''] ?? 400, headers);
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.end(head + answer.body, () => socket.destroy());
}

/** Node answers an expectation other than `100-continue` itself, without any of our headers. */
export function refuseExpectations(server: Server, headers: Headers): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const answer = problemWith(417, headers);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
}

/** HTTP/1.1 demands one. Node would refuse it itself, without any of our headers, unless `requireHostHeader` is off. */
export const hasNoHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

/** The connection broke before the request had arrived whole: whatever fails then is no fault of ours. */
export const hasClientLeft = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete;

function problemWith(
  status: number,
  added: Headers,
): { status: number; headers: Record<string, string>; body: string } {
  const { problem, headers: ofProblem } = problemOf({ statusCode: status });
  const body = JSON.stringify(problem);
  const headers = {
    ...added,
    ...ofProblem,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { status, headers, body };
}

/** As Node itself looks at it before it answers a broken request. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return response?.headersSent === true;
}
