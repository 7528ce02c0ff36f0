import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { companionWords } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { type NameServer, startNameServer } from '@caravan/service-kit/testing/name-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { linkRules, type LinkRules } from './link.ts';
import { LinkedFiles } from './linked-files.client.ts';

/** Stands for the open internet: another address of this machine. */
const outsideAddress = '127.0.0.2';
const photo = Buffer.from('pixels');
const hosts: Record<string, (earlier: number) => readonly string[]> = {
  'photos.example.org': () => [outsideAddress],
  'inside.example.org': () => ['127.0.0.1'],
  'cloud.example.org': () => ['169.254.169.254'],
  'mapped.example.org': () => ['::ffff:7f00:1'],
  'loop.example.org': () => ['::1'],
  'unique.example.org': () => ['fd00::1'],
  'mixed.example.org': () => [outsideAddress, '10.0.0.1'],
  'turning.example.org': (earlier) => [earlier === 0 ? outsideAddress : '127.0.0.1'],
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let outside: Server;
let port: number;
/** At the same port of this machine. Nobody may ever knock. */
let canary: Server;
let knocks = 0;
let names: NameServer;

beforeAll(async () => {
  names = await startNameServer((name, earlier) => hosts[name]?.(earlier) ?? []);
  outside = createServer((request, response) => answer(request, response));
  outside.listen(0, outsideAddress);
  await once(outside, 'listening');
  ({ port } = outside.address() as AddressInfo);
  canary = createServer(sendPhoto).on('connection', () => (knocks += 1));
  canary.listen(port, '127.0.0.1');
  await once(canary, 'listening');
});
afterAll(() => {
  names.close();
  for (const server of [outside, canary]) server.close().closeAllConnections();
});
afterEach(() => {
  expect(knocks).toBe(0);
});

function sendPhoto(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': photo.length }).end(photo);
}

/** Those of an instance, but for TLS and its port, which the canary has not. */
const rulesOfTest = (isOutside: LinkRules['isOutside']): LinkRules => ({
  protocols: ['http:'],
  isUsualPort: false,
  isOutside,
  nameServers: [names.address],
});
const linkedFiles = (milliseconds?: number) =>
  new LinkedFiles(
    rulesOfTest((address) => address === outsideAddress || linkRules.public?.isOutside?.(address) === true),
    milliseconds,
  );
const at = (host: string) => `http://${host}:${port}/lake.png`;
const still = new AbortController().signal;
const fetchFile = (url: string, files = linkedFiles()) => files.fetch(url, still, () => undefined);

describe('a photo that is linked to', () => {
  test('[7.37] is looked at and fetched, with nothing of who asks but the product’s name', async () => {
    const heard: IncomingMessage['headers'][] = [];
    answer = (request, response) => {
      heard.push(request.headers);
      sendPhoto(request, response);
    };
    const file = { name: 'lake.png', type: 'image/png', size: photo.length };
    expect(await linkedFiles().look(at('photos.example.org'))).toEqual(file);
    expect(await fetchFile(at('photos.example.org'))).toEqual({ ...file, bytes: photo });
    expect(heard).toHaveLength(2);
    expect(heard[1]).toEqual({
      host: `photos.example.org:${port}`,
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': 'Caravan',
      connection: 'close',
    });
  });

  test('is found behind five redirections, and not behind six', async () => {
    const chain = (length: number): Answer => {
      let left = length;
      return (request, response) => {
        left -= 1;
        if (left < 0) sendPhoto(request, response);
        else response.writeHead(left % 2 === 0 ? 302 : 308, { location: `/again/${left}.png` }).end();
      };
    };
    answer = chain(5);
    expect((await fetchFile(at('photos.example.org'))).bytes).toEqual(photo);
    answer = chain(6);
    await expect(fetchFile(at('photos.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
  });

  test('[9.25] is given up after 10 MB, whatever was said of its size', async () => {
    let sent = 0;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    };
    await expect(fetchFile(at('photos.example.org'))).rejects.toThrow(photoWords.tooLarge);
    expect(sent).toBeLessThan(2 * mostPhotoBytes);
  });

  test('is given up when it does not come in time, and when it is not whole', async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).write('p');
    await expect(fetchFile(at('photos.example.org'), linkedFiles(200))).rejects.toThrow(companionWords.linkUnreachable);
    answer = () => undefined;
    await expect(linkedFiles(200).look(at('photos.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
    answer = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'image/png', 'content-length': 9 })
        .write('p', () => response.destroy());
    };
    await expect(fetchFile(at('photos.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
  });

  test.each([404, 500, 204, 206])('is not what comes with %i', async (status) => {
    answer = (_request, response) => void response.writeHead(status, { 'content-type': 'image/png' }).end();
    await expect(linkedFiles().look(at('photos.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
  });
});

describe('[S30] nothing inside is asked', () => {
  const everywhere = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '[fd00::1]',
    'localhost',
  ];

  test.each([...everywhere, ...Object.keys(hosts).filter((name) => !/^(photos|turning)/.test(name))])(
    'at %s',
    async (host) => {
      for (const asked of [linkedFiles().look(at(host)), fetchFile(at(host))]) await expect(asked).rejects.toThrow();
    },
  );

  test('by a name of which one address lies outside and one inside', async () => {
    await expect(fetchFile(at('mixed.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
  });

  test.each([...everywhere.map((host) => at(host)), at('inside.example.org'), 'file:///etc/passwd', 'gopher://x.org/'])(
    'by a redirection to %s',
    async (location) => {
      answer = (_request, response) => void response.writeHead(302, { location }).end();
      await expect(linkedFiles().look(at('photos.example.org'))).rejects.toThrow();
      await expect(fetchFile(at('photos.example.org'))).rejects.toThrow();
    },
  );

  test('by a name that leads elsewhere between the look and the fetch', async () => {
    answer = sendPhoto;
    expect((await linkedFiles().look(at('turning.example.org'))).size).toBe(photo.length);
    await expect(fetchFile(at('turning.example.org'))).rejects.toThrow(companionWords.linkUnreachable);
    expect(names.asked.filter((asked) => asked === 'A turning.example.org')).toHaveLength(2);
  });

  test('by an instance that fetches nothing', async () => {
    await expect(new LinkedFiles(undefined).look(at('photos.example.org'))).rejects.toThrow(companionWords.noLinks);
  });

  test('where these tests would hear of it', async () => {
    const careless = new LinkedFiles(rulesOfTest(() => true));
    expect((await fetchFile(at('inside.example.org'), careless)).bytes).toEqual(photo);
    expect(knocks).toBe(1);
    knocks = 0;
  });
});
