import { expect, test } from 'vitest';
import { StorageConnections } from './storage-connections.ts';

const never = new AbortController().signal;

/** An upload that holds its connection until it is ended. */
function begin(connections: StorageConnections, network: string, signal = never) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let isUnderWay = false;
  const done = connections.during(network, signal, () => {
    isUnderWay = true;
    return promise;
  });
  done.catch(() => undefined);
  return { done, isUnderWay: () => isUnderWay, end: () => resolve(undefined) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const running = (uploads: readonly { isUnderWay: () => boolean }[]) => uploads.map(({ isUnderWay }) => isUnderWay());

test('[S25] uploads of one network hold half of the connections at most, and one of another network begins at once', async () => {
  const connections = new StorageConnections({ total: 4, perNetwork: 2 });
  const home = Array.from({ length: 5 }, () => begin(connections, 'home'));
  const office = begin(connections, 'office');
  await nextTurn();
  expect(running([...home, office])).toEqual([true, true, false, false, false, true]);
});

test('[S25] an upload that waits for a connection begins when one of its network ends, in the order in which they came', async () => {
  const connections = new StorageConnections({ total: 4, perNetwork: 1 });
  const first = begin(connections, 'home');
  const second = begin(connections, 'home');
  const third = begin(connections, 'home');
  first.end();
  await first.done;
  await nextTurn();
  expect(running([second, third])).toEqual([true, false]);
});

test('[S25] a connection that becomes free goes to the first upload whose network may have it', async () => {
  const connections = new StorageConnections({ total: 2, perNetwork: 1 });
  const home = [begin(connections, 'home'), begin(connections, 'home')];
  const office = begin(connections, 'office');
  const cafe = begin(connections, 'cafe');
  office.end();
  await office.done;
  await nextTurn();
  expect(running([...home, cafe])).toEqual([true, false, true]);
});

test('[S28] an upload whose sender leaves stops waiting for a connection, and those behind it go on', async () => {
  const connections = new StorageConnections({ total: 1, perNetwork: 1 });
  const sender = new AbortController();
  const first = begin(connections, 'home');
  const left = begin(connections, 'home', sender.signal);
  const last = begin(connections, 'home');
  sender.abort(new Error('the sender left'));
  await expect(left.done).rejects.toThrow('the sender left');
  first.end();
  await first.done;
  await nextTurn();
  expect(running([left, last])).toEqual([false, true]);
});

test('[S25] an upload that fails gives its connection back', async () => {
  const connections = new StorageConnections({ total: 1, perNetwork: 1 });
  const failing = connections.during('home', never, () => Promise.reject(new Error('the storage refused it')));
  await expect(failing).rejects.toThrow('the storage refused it');
  expect(await connections.during('home', never, () => Promise.resolve('stored'))).toBe('stored');
});
