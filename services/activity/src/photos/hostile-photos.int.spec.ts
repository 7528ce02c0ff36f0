import { gzipSync } from 'node:zlib';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import type { RegisteredPhoto } from '@caravan/contracts/http/photos';
import * as hostile from '@caravan/service-kit/testing/hostile-images';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { photosOf } from '../testing/photos-under-test.ts';
import { photoKey } from './photo.ts';

type File = () => Buffer | Promise<Buffer>;

let activity: ActivityUnderTest;
let maya: Joining;
let photos: ReturnType<typeof photosOf>;
/** Some, and the next one begins. */
let left = 0;
async function somebody(): Promise<void> {
  if (left > 0) return void (left -= 1);
  maya = await activity.join();
  photos = photosOf(activity, await activity.as(maya));
  left = 25;
}

beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());

const jpeg = (width = 40, height = 30) => hostile.plain(width, height).jpeg().toBuffer();
const behind = async (picture: Promise<Buffer>, bytes: string | Buffer) =>
  Buffer.concat([await picture, Buffer.from(bytes)]);
const script = '<script>alert("Canary")</script>';
const paddedPicture = async (bytes: number) => {
  const picture = await jpeg();
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
};

describe('[S27] a file that is refused leaves nothing behind:', () => {
  test.each<[string, File, string]>([
    ['nothing', () => Buffer.alloc(0), photoWords.empty],
    ['10,485,761 bytes', () => paddedPicture(mostPhotoBytes + 1), photoWords.tooLarge],
    ['an SVG', () => hostile.svg(), photoWords.vector],
    ['an SVG with a script', () => hostile.svg(script), photoWords.vector],
    ['an SVG with 24 filters', hostile.svgWithFilters, photoWords.vector],
    ['an SVG with a picture of 400 million pixels', hostile.svgWithPicture, photoWords.vector],
    ['an SVG in UTF-16', () => Buffer.from(hostile.svg().toString(), 'utf16le'), photoWords.vector],
    ['an SVG that is compressed', () => gzipSync(hostile.svg()), photoWords.vector],
    ['an SVG behind the first bytes of a PNG', () => Buffer.concat([pngBegin, hostile.svg()]), photoWords.unreadable],
    ['a page', () => Buffer.from(`<!doctype html>${script}`), photoWords.unreadable],
    ['a text', () => Buffer.from('not an image'), photoWords.unreadable],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'), photoWords.unreadable],
    ['an archive', () => Buffer.from('PK\x03\x04\x14\x00\x00\x00', 'latin1'), photoWords.unreadable],
    ['a film', () => hostile.ofBrands('isom', 'mp42'), photoWords.unreadable],
    ['a TIFF', () => hostile.plain(9, 9).tiff().toBuffer(), photoWords.unreadable],
    ['the first bytes of a GIF and a script', () => Buffer.from(`GIF89a${script}`), photoWords.unreadable],
    [
      'the first bytes of a JPEG and a script',
      () => Buffer.from(`\xff\xd8\xff\xe0${script}`, 'latin1'),
      photoWords.unreadable,
    ],
    ['the first bytes of a WebP', () => Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 '), photoWords.unreadable],
    ['a HEIC', () => hostile.ofBrands('heic', 'mif1', 'heic'), photoWords.heic],
    ['a HEIF that does not say what is in it', () => hostile.ofBrands('mif1', 'miaf'), photoWords.heic],
    ['an AVIF with nothing in it', () => hostile.ofBrands('avif', 'mif1', 'miaf'), photoWords.unreadable],
    ['a PNG of 400 million pixels', hostile.bomb, photoWords.tooManyPixels],
    ['a PNG that claims to be huge', hostile.hugeByName, photoWords.tooManyPixels],
    ['an animation of 257 pictures', () => hostile.animation(257), photoWords.tooManyFrames],
    ['half a PNG', hostile.truncatedImage, photoWords.unreadable],
    ['half a JPEG', async () => (await jpeg(400, 400)).subarray(0, 900), photoWords.unreadable],
  ])('%s', async (_, make, message) => {
    await somebody();
    const address = await photos.send(await make());
    const refused = await photos.register(address);
    expect([refused.status, refused.body['message']]).toEqual([422, message]);
    // Who did not hear it is told the same.
    expect((await photos.register(address)).body).toMatchObject({ message, code: refused.body['code'] });
    const [, uploadId = ''] = /([0-9a-f-]{36})[?]/.exec(address) ?? [];
    expect(await photos.keysBelow(`incoming/${maya.orgId}/${maya.userId}/${uploadId}`)).toEqual([]);
  });
});

const pngBegin = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Taller than wide as it is stored, with its left half dark. */
const turnedPicture = async (orientation: number) => {
  const dark = await sharp({ create: { width: 20, height: 60, channels: 3, background: '#111' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 40, height: 60, channels: 3, background: '#eee' } })
    .composite([{ input: dark, left: 0, top: 0 }])
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
};
const cmyk = () => hostile.plain(40, 30).flatten().toColourspace('cmyk').jpeg().toBuffer();
const deep = () => hostile.plain(40, 30).toColourspace('rgb16').png().toBuffer();
const pictureWithPlace = () =>
  hostile
    .plain(40, 30)
    .withExif({ IFD0: { Copyright: 'Canary' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 56/1 0/1' } })
    .jpeg()
    .toBuffer();

describe('[S27] a file that is a photo is drawn again, and nothing else of it is kept:', () => {
  test.each<[string, File, [width: number, height: number]]>([
    ['a JPEG', jpeg, [40, 30]],
    ['a PNG', () => hostile.plain(40, 30).png().toBuffer(), [40, 30]],
    ['a WebP', () => hostile.plain(40, 30).webp().toBuffer(), [40, 30]],
    ['a GIF', () => hostile.plain(40, 30).gif().toBuffer(), [40, 30]],
    ['an AVIF', () => hostile.plain(40, 30).avif().toBuffer(), [40, 30]],
    ['10,485,760 bytes', () => paddedPicture(mostPhotoBytes), [40, 30]],
    ['a PNG that is a page, too', hostile.polyglot, [20, 10]],
    ['a JPEG with an archive behind it', () => behind(jpeg(), 'PK\x03\x04Canary'), [40, 30]],
    ['a picture with the place where it was taken', pictureWithPlace, [40, 30]],
    ['an animation', () => hostile.animation(5), [16, 16]],
    ['colours for print', cmyk, [40, 30]],
    ['16 bits a colour', deep, [40, 30]],
    ['shades of grey', () => hostile.plain(40, 30).flatten().greyscale().png().toBuffer(), [40, 30]],
    ['one pixel', () => hostile.plain(1, 1).png().toBuffer(), [1, 1]],
    ['a thin line', () => hostile.plain(4_000, 1).png().toBuffer(), [1280, 1]],
    ...[1, 2, 3, 4].map((turn): [string, File, [number, number]] => [
      `turn ${turn}`,
      () => turnedPicture(turn),
      [40, 60],
    ]),
    ...[5, 6, 7, 8].map((turn): [string, File, [number, number]] => [
      `turn ${turn}`,
      () => turnedPicture(turn),
      [60, 40],
    ]),
  ])('%s', async (_, make, [width, height]) => {
    await somebody();
    const { status, body } = await photos.register(await photos.send(await make()));
    expect([status, body]).toEqual([200, expect.objectContaining({ width, height })]);
    const { objectPath } = body as RegisteredPhoto;
    const kept = await photos.storedObject(photoKey({ ...maya, photoId: objectPath.split('/').at(-1) ?? '' }, 1280));
    const facts = await sharp(kept).metadata();
    expect(facts).toMatchObject({ format: 'webp', width, height, space: 'srgb', depth: 'uchar' });
    expect([facts.exif, facts.pages, kept?.includes('Canary')]).toEqual([undefined, undefined, false]);
  });

  test.each([
    [1, 'left'],
    [3, 'right'],
    [6, 'top'],
    [8, 'bottom'],
  ])('turn %i has its dark side where it was seen: %s', async (turn, side) => {
    await somebody();
    const { body } = await photos.register(await photos.send(await turnedPicture(turn)));
    const photoId = String(body['objectPath']).split('/').at(-1) ?? '';
    const small = sharp(await photos.storedObject(photoKey({ ...maya, photoId }, 1280)));
    const pixels = await small.resize(3, 3, { fit: 'fill' }).greyscale().raw().toBuffer();
    const at = { top: pixels[1], left: pixels[3], right: pixels[5], bottom: pixels[7] };
    const [darkest] = Object.entries(at).toSorted(([, one = 0], [, other = 0]) => one - other)[0] ?? [];
    expect(darkest).toBe(side);
  });
});
