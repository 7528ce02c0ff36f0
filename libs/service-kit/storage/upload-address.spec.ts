import { expect, test } from 'vitest';
import { UploadAddresses } from './upload-address.ts';

const addresses = new UploadAddresses('credential-of-services-under-test');
const target = '/objects/incoming/o/u/k?X-Amz-Expires=600&X-Amz-Signature=f';
const signed = addresses.sign(target);

test('[S28 D42] the gateway gets back exactly the address that a service signed', () => {
  expect(signed).toMatch(/&x-upload-signature=[\w-]{43}$/);
  expect(addresses.verify(signed)).toBe(target);
});

test.each([
  ['an address without a signature', target],
  ['an address of another member', signed.replace('/u/', '/v/')],
  ['a longer validity', signed.replace('=600', '=601')],
  ['a parameter that was added', `${signed}&partNumber=1`],
  ['a parameter that was added before the signature', signed.replace('&x-upload', '&partNumber=1&x-upload')],
  ['a shorter signature', signed.slice(0, -1)],
  ['an empty signature', signed.replace(/=[\w-]{43}$/, '=')],
  ['a changed signature', signed.replace(/.{2}$/, 'AA')],
  ['a signature by another key', new UploadAddresses('another-credential-of-other-services').sign(target)],
])('[S28] %s is not accepted', (_, changed) => {
  expect(changed).not.toBe(signed);
  expect(addresses.verify(changed)).toBeUndefined();
});
