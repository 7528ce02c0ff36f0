import { companionWords } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { describe, expect, test } from 'vitest';
import { linkedFileOf, linkOf, linkRules, type LinkRules } from './link.ts';

const { public: rules, any } = linkRules;
const link = (text: string, by: LinkRules | undefined = rules) => by && linkOf(text, by).href;

describe('[S30] an address of a photo', () => {
  test.each([
    ['https://photos.example.org/lake.jpg?size=l#top', 'https://photos.example.org/lake.jpg?size=l'],
    ['https://8.8.8.8/lake.jpg', 'https://8.8.8.8/lake.jpg'],
    ['HTTPS://Photos.Example.org:443', 'https://photos.example.org/'],
  ])('%s is one', (text, href) => {
    expect(link(text)).toBe(href);
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '169.254.169.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '１２７.0.0.1',
    '127.0.0.1.',
    'localhost',
    'LOCALHOST.',
    'photos.localhost',
    'redis',
    's3.internal',
    'nas.local',
    'caravan.test',
    'photos.example.org:8443',
    'photos.example.org:22',
  ])('https://%s is none: it lies inside, or at a port of something else', (host) => {
    expect(() => link(`https://${host}/lake.jpg`)).toThrow(companionWords.linkInside);
  });

  test.each([
    'http://photos.example.org/lake.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'gopher://x.org/1',
    'https://maya:secret@photos.example.org/',
    'photos.example.org/lake.jpg',
    'https://',
    '//photos.example.org',
  ])('%s is none', (text) => {
    expect(() => link(text)).toThrow(companionWords.link);
  });

  test('is one at home too where the instance is for development', () => {
    expect(link('http://127.0.0.1:8080/lake.jpg', any)).toBe('http://127.0.0.1:8080/lake.jpg');
    expect(() => link('file:///etc/passwd', any)).toThrow(companionWords.link);
    expect(linkRules.off).toBeUndefined();
  });
});

describe('[5.10 9.25] what lies there', () => {
  const at = new URL('https://photos.example.org/a/The%20lake.jpg');
  test('is a photo by what is said of it', () => {
    const headers = { 'content-type': 'Image/JPEG; q=1', 'content-length': String(mostPhotoBytes) };
    expect(linkedFileOf(at, headers)).toEqual({ name: 'The lake.jpg', type: 'image/jpeg', size: mostPhotoBytes });
    expect(linkedFileOf(at, { 'content-type': 'image/png' }).size).toBeNull();
    expect(linkedFileOf(new URL('https://x.org/%ff'), { 'content-type': 'image/png' }).name).toBe('%ff');
    expect(linkedFileOf(new URL('https://x.org/'), { 'content-type': 'image/png' }).name).toBe('photo');
  });

  test.each([
    [{}, photoWords.type],
    [{ 'content-type': 'text/html' }, photoWords.type],
    [{ 'content-type': 'image/svg+xml' }, photoWords.vector],
    [{ 'content-type': 'image/heic' }, photoWords.heic],
    [{ 'content-type': 'image/png', 'content-encoding': 'gzip' }, companionWords.linkUnreachable],
    [{ 'content-type': 'image/png', 'content-length': String(mostPhotoBytes + 1) }, photoWords.tooLarge],
  ])('is none of ours, case %#', (headers, words) => {
    expect(() => linkedFileOf(at, headers)).toThrow(words);
  });
});
