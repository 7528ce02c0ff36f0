import { expect, test } from 'vitest';
import { bucketUrlOf, publicAddressOf } from './storage-address.ts';
import { UploadAddresses } from './upload-address.ts';

const place = { endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'photos', isPathStyle: false };
const product = { publicUrl: 'https://caravan.test/', serviceCredential: 'credential-of-services-under-test' };

test('[D42] a bucket lies in a path or in the name of its host, by what the operator says', () => {
  expect(bucketUrlOf(place)).toBe('https://photos.s3.eu-central-1.amazonaws.com');
  expect(bucketUrlOf({ ...place, isPathStyle: true })).toBe('https://s3.eu-central-1.amazonaws.com/photos');
  expect(bucketUrlOf({ ...place, endpoint: 'http://minio:9000/' })).toBe('http://photos.minio:9000');
  expect(bucketUrlOf({ ...place, bucket: 'my.photos' })).toBe('https://s3.eu-central-1.amazonaws.com/my.photos');
});

test('[D42] the address that a browser is told names the product and nothing of the storage', () => {
  for (const isPathStyle of [true, false]) {
    const signed = `${bucketUrlOf({ ...place, isPathStyle })}/incoming/o/u/k?X-Amz-Signature=f&partNumber=1`;
    const origin = 'https://caravan.test';
    const target = '/objects/incoming/o/u/k?X-Amz-Signature=f&partNumber=1';
    const address = publicAddressOf(signed, { ...place, ...product, isPathStyle });
    expect(address.startsWith(`${origin}${target}&`)).toBe(true);
    expect(new UploadAddresses(product.serviceCredential).verify(address.slice(origin.length))).toBe(target);
  }
  expect(() => publicAddressOf('https://elsewhere.test/photos/k', { ...place, ...product })).toThrow(
    'not an address of this bucket',
  );
});
