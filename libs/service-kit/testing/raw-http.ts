import { connect, type Socket } from 'node:net';

/** The bytes that a server wrote on a connection. */
export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly body: string };

export type RawConnection = {
  readonly socket: Socket;
  write(text: string | Buffer): void;
  /** Resolves with the first answer on the connection, as soon as its head and the announced body are there. */
  readonly answer: Promise<RawAnswer>;
};

/** Writes what no HTTP client would write. */
export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let heard = '';
  const look = (isWhole: boolean) => {
    const answer = answerIn(heard, isWhole);
    if (answer) resolve(answer);
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
    look(false);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    look(true);
    reject(new Error(`the connection was closed after: ${heard}`));
  });
  promise.catch(() => undefined);
  return { socket, write: (text) => void socket.write(text), answer: promise };
}

/** One request on a connection of its own. */
export async function askRaw(url: string, request: string): Promise<RawAnswer> {
  const connection = openRaw(url);
  connection.write(request);
  return connection.answer.finally(() => connection.socket.destroy());
}

function answerIn(text: string, isWhole: boolean): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  const announced = headers.get('content-length');
  const isThere = announced === null ? isWhole : body.length >= Number(announced);
  return isThere ? { status: Number(first.split(' ')[1]), headers, body } : undefined;
}
