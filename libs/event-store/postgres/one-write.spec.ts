import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { inOneWrite } from './open-transaction.ts';

/** A client whose socket notes what reaches the wire together. */
function wiredConnection() {
  const writes: string[][] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push([chunk]);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => chunk as string));
      done();
    },
  });
  const client = { connection: { stream } };
  const send = (statement: string) => {
    inOneWrite(client);
    stream.write(statement);
  };
  return { send, writes };
}

test('statements that are issued one after the other leave in one write', async () => {
  const { send, writes } = wiredConnection();
  send('begin');
  send('select 1');
  await Promise.resolve().then(() => send('select 2'));
  expect(writes).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toEqual([['begin', 'select 1', 'select 2']]);
});

test('what is issued later does not wait for anything else', async () => {
  const { send, writes } = wiredConnection();
  send('begin');
  await new Promise((resolve) => setImmediate(resolve));
  send('commit');
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toEqual([['begin'], ['commit']]);
});

test('a client without a socket is left alone', () => {
  expect(() => inOneWrite({})).not.toThrow();
});
