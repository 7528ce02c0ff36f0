import { expect, test } from 'vitest';
import { PhotoAddresses, signedPhotoUrl, verifyPhotoUrl } from './photo-address.ts';

const key = 'a-key-of-thirty-two-characters-or-more';
const photoId = '019aa000-0000-7000-8000-0000000000a1';
const objectPath = `/objects/photos/${photoId}`;
const orgId = '019aa000-0000-7000-8000-00000000000a';
const userId = '019aa000-0000-7000-8000-0000000000b1';
const noon = new Date('2026-11-20T12:00:00Z');
const after = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);

const signedAddress = (now = noon, viewer: { orgId: string; userId?: string } = { orgId, userId }) =>
  signedPhotoUrl(key, { objectPath, size: 640, viewer, now }) ?? '';

/** What a server finds in an address. */
function askedPhoto(address: string) {
  const { pathname, searchParams } = new URL(address, 'https://caravan.test');
  const [, id = '', size = ''] = /^\/objects\/photos\/([^/]+)\/(\d+)[.]webp$/.exec(pathname) ?? [];
  const parameterOf = (name: string) => searchParams.get(name) ?? undefined;
  return {
    photoId: id,
    size,
    viewer: parameterOf('viewer'),
    expires: parameterOf('expires'),
    signature: parameterOf('signature'),
  };
}

test('[S29] an address is good for the person, the photo and the size it was signed for', () => {
  const found = verifyPhotoUrl(key, askedPhoto(signedAddress()), noon);
  expect(found).toMatchObject({ state: 'valid', size: 640, orgId, userId });
});

test('[S29] what is shown to all of an organisation is signed for all of it', () => {
  const found = verifyPhotoUrl(key, askedPhoto(signedAddress(noon, { orgId })), noon);
  expect(found).toMatchObject({ state: 'valid', orgId, userId: undefined });
});

test.each([
  ['another photo', { photoId: '019aa000-0000-7000-8000-0000000000a2' }],
  ['another size', { size: '1280' }],
  ['a size that nobody keeps', { size: '4096' }],
  ['another viewer', { viewer: orgId }],
  ['a later end', { expires: String(noon.getTime() / 1_000 + 999_999) }],
  ['no end', { expires: undefined }],
  ['no signature', { signature: undefined }],
  ['half a signature', { signature: askedPhoto(signedAddress()).signature?.slice(0, 20) }],
  ['letters of several bytes', { signature: 'ä'.repeat(43) }],
])('[S29] an address changed to %s is forged', (_, change) => {
  expect(verifyPhotoUrl(key, { ...askedPhoto(signedAddress()), ...change }, noon)).toEqual({ state: 'forged' });
});

const face = askedPhoto(signedPhotoUrl(key, { objectPath, size: 64, viewer: { orgId }, now: noon }) ?? '');
test.each([
  ['64', 'valid'],
  ['280', 'valid'],
  ['640', 'forged'],
  ['1280', 'forged'],
])('[S29] the address of a face, asked for %s pixels, is %s', (size, state) => {
  expect(verifyPhotoUrl(key, { ...face, size }, noon)).toMatchObject({ state });
});

test('[S29] an address of 280 pixels opens no smaller size, and that of a face nothing for another viewer', () => {
  const larger = askedPhoto(signedPhotoUrl(key, { objectPath, size: 280, viewer: { orgId }, now: noon }) ?? '');
  expect(verifyPhotoUrl(key, { ...larger, size: '64' }, noon)).toEqual({ state: 'forged' });
  const changed = { ...face, size: '280', viewer: `${orgId}.${userId}` };
  expect(verifyPhotoUrl(key, changed, noon)).toEqual({ state: 'forged' });
  expect(verifyPhotoUrl(key, { ...face, size: '280' }, after(30 * 60))).toEqual({ state: 'expired' });
});

test('[S29] an address of another instance is forged', () => {
  expect(verifyPhotoUrl(`${key}!`, askedPhoto(signedAddress()), noon)).toEqual({ state: 'forged' });
});

test('[S29] an address is good for 15 to 30 minutes, whenever it was signed', () => {
  for (let seconds = 0; seconds < 1_800; seconds += 7) {
    const address = askedPhoto(signedAddress(after(seconds)));
    expect(verifyPhotoUrl(key, address, after(seconds + 15 * 60 - 1))).toMatchObject({ state: 'valid' });
    expect(verifyPhotoUrl(key, address, after(seconds + 30 * 60))).toEqual({ state: 'expired' });
  }
});

test('an address stays the same for a quarter of an hour, and photos do not all turn at once', () => {
  const turns = (of: string) => {
    const addresses = Array.from({ length: 3_600 }, (_, second) =>
      signedPhotoUrl(key, { objectPath: of, size: 64, viewer: { orgId }, now: after(second) }),
    );
    return addresses.flatMap((address, second) => (address === addresses[second - 1] ? [] : [second])).slice(1);
  };
  const [first = 0, ...later] = turns(objectPath);
  expect(later).toEqual([first + 900, first + 1_800, first + 2_700]);
  expect(turns('/objects/photos/019aa000-0000-7000-8000-0000000012b2')[0]).not.toBe(first);
});

test.each(['', 'https://elsewhere.example/x.webp', '/objects/photos/x', `${objectPath}/640.webp`, `${objectPath}\n`])(
  '%j is no photo and has no address',
  (path) => {
    expect(signedPhotoUrl(key, { objectPath: path, size: 64, viewer: { orgId }, now: noon })).toBeNull();
  },
);

const addresses = new PhotoAddresses(key);
const widthsOf = (width: number, height: number) => {
  const { srcSet } = addresses.shownPhoto({ objectPath, width, height, thumbHash: 'x', alt: null }, { orgId }, noon);
  return srcSet.split(', ').map((one) => [askedPhoto(one.split(' ')[0] ?? '').size, one.split(' ')[1]]);
};

test.each([
  [
    1280,
    960,
    [
      ['280', '280w'],
      ['640', '640w'],
      ['1280', '1280w'],
    ],
  ],
  [
    960,
    1280,
    [
      ['280', '210w'],
      ['640', '480w'],
      ['1280', '960w'],
    ],
  ],
  [
    500,
    400,
    [
      ['280', '280w'],
      ['640', '500w'],
    ],
  ],
  [200, 100, [['280', '200w']]],
  [1, 1280, [['280', '1w']]],
])('a photo of %i × %i is offered in the widths that it has', (width, height, expected) => {
  expect(widthsOf(width, height)).toEqual(expected);
});

test('every address of a photo is good, and without a picture there is none', () => {
  const at = noon;
  const photo = { objectPath, width: 1280, height: 960, thumbHash: 'x', alt: 'A hill' };
  const { srcSet, ...told } = addresses.shownPhoto(photo, { orgId, userId }, at);
  expect(told).toEqual({ width: 1280, height: 960, thumbHash: 'x', alt: 'A hill' });
  const all = [...srcSet.split(', ').map((one) => one.split(' ')[0] ?? ''), addresses.url(objectPath, { orgId }, at)];
  for (const address of [...all, addresses.face(objectPath, { orgId, at })])
    expect(addresses.verify(askedPhoto(address ?? ''), at)).toMatchObject({ state: 'valid', orgId });
  expect(addresses.face(null, { orgId, at })).toBeNull();
  expect(addresses.url(null, { orgId }, at)).toBeNull();
});
