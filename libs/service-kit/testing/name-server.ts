import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type NameServer = {
  /** As a resolver takes it. */
  readonly address: string;
  /** What was asked for, in order: `A name` or `AAAA name`. */
  readonly asked: string[];
  close(): void;
};

/** Says what a test wants said. @param addressesOf of a name, by how often it was asked for before */
export async function startNameServer(
  addressesOf: (name: string, earlier: number) => readonly string[],
): Promise<NameServer> {
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const question = `${type === 28 ? 'AAAA' : 'A'} ${name}`;
    const found = addressesOf(name, asked.filter((each) => each === question).length);
    asked.push(question);
    const answers = found.filter((each) => isIPv4(each) === (type === 1)).map((each) => recordOf(each, type));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(answers.length, 6);
    head.fill(0, 8, 12);
    server.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked, address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Not to be remembered. */
function recordOf(address: string, type: number): Buffer {
  const data = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
