import { mostPhotoBytes, photoWords, startUploadRequestSchema } from '@caravan/contracts/http/photos';
import { photoSizes } from '@caravan/service-kit/storage/photo-address';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestSize, readUploadUrl, refusalOfSize, servedSize, smallerSizesOf, uploadKey } from './photo.ts';

const [orgId, userId, uploadId] = ['a', 'b', 'c'].map((nth) => `019aa000-0000-7000-8000-00000000000${nth}`) as [
  ...[string, string, string],
];
const key = uploadKey({ orgId, userId, uploadId });
const address = `https://caravan.test/objects/${key}`;

describe('an address of an upload', () => {
  test.each([address, `${address}?X-Amz-Expires=600`, `${address}#x`, `${address}?`])(
    '[D42 7.19] is taken with or without its query: %s',
    (url) => {
      expect(readUploadUrl(url)).toEqual({ address, uploadId });
    },
  );

  test('[D42] keeps where it leads to, which is compared with where the upload is', () => {
    expect(readUploadUrl(`http://elsewhere.test/bucket/${key}`)).toEqual({
      address: `http://elsewhere.test/bucket/${key}`,
      uploadId,
    });
  });

  test.each(['', key, `/objects/${key}`, `${address}/x`, `${address}.jpg`, 'https://caravan.test/objects/photos/x'])(
    '[S28] is none: %j',
    (url) => {
      expect(readUploadUrl(url)).toBeNull();
    },
  );

  test('[S24] is read from whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (url) => readUploadUrl(url) === null),
      { numRuns: 50 },
    );
  });
});

const pixels = fc.record({ width: fc.integer({ min: 1, max: 1280 }), height: fc.integer({ min: 1, max: 1280 }) });
const size = fc.constantFrom(...photoSizes);

describe('the sizes of a photo', () => {
  test('are smaller than it', () => {
    expect(smallerSizesOf({ width: 1280, height: 720 })).toEqual([64, 280, 640]);
    expect(smallerSizesOf({ width: 300, height: 640 })).toEqual([64, 280]);
    expect(smallerSizesOf({ width: 64, height: 1 })).toEqual([]);
  });

  test('are answered with one that is as large as asked, or with all there is', () => {
    fc.assert(
      fc.property(size, pixels, fc.boolean(), (asked, photo, hasSmaller) => {
        const served = servedSize(asked, photo, hasSmaller);
        const isThere = served === largestSize || (hasSmaller && smallerSizesOf(photo).includes(served));
        expect(isThere && served >= asked).toBe(true);
        // Nothing larger than needed once all of them are there.
        if (hasSmaller) expect(smallerSizesOf(photo).some((each) => each >= asked && each < served)).toBe(false);
      }),
    );
  });
});

describe('what is said of a file', () => {
  test.each([
    [0, null, 'empty'],
    [mostPhotoBytes, null, undefined],
    [mostPhotoBytes + 1, null, 'too-many-bytes'],
    [5, 5, undefined],
    [6, 5, 'other-size'],
  ])('[5.10 9.25] %i bytes, announced as %j, are refused as %j', (bytes, announced, refusal) => {
    expect(refusalOfSize(bytes, announced)).toBe(refusal);
  });

  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ size: mostPhotoBytes, type: 'image/jpeg' }, undefined],
    [{ type: '' }, undefined],
    [{ type: 'IMAGE/PNG' }, undefined],
    [{ size: mostPhotoBytes + 1 }, photoWords.tooLarge],
    [{ size: 0 }, photoWords.empty],
    [{ type: 'image/heic' }, photoWords.heic],
    [{ type: 'image/svg+xml' }, photoWords.vector],
    [{ type: 'video/mp4' }, photoWords.type],
  ])('[5.10 7.18 9.25] %j before it is sent is answered %j', (body, message) => {
    expect(startUploadRequestSchema.safeParse(body).error?.issues[0]?.message).toBe(message);
  });
});
