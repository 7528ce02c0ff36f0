import { UploadAddresses } from './upload-address.ts';

export type BucketPlace = {
  readonly endpoint: string;
  readonly bucket: string;
  /** `https://host/bucket/key`; else `https://bucket.host/key`. */
  readonly isPathStyle: boolean;
};

/** What its objects' addresses start with, without a slash at the end. A bucket with a dot fits no TLS certificate's `*`. */
export function bucketUrlOf({ endpoint, bucket, isPathStyle }: BucketPlace): string {
  const { protocol, host } = new URL(endpoint);
  const isInPath = isPathStyle || (protocol === 'https:' && bucket.includes('.'));
  return isInPath ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`;
}

/** The gateway's folder that stands for the bucket. */
export const objectsPath = '/objects';

/** Signed like the rest of a query, and passed over by S3 (as every name with `x-`): the size that was announced. */
export const sizeParameter = 'x-size-bytes';

/** The settings for giving browsers an address of the product in place of the storage's own. */
export type PublicPlace = BucketPlace & { readonly publicUrl: string; readonly serviceCredential: string };

/** An upload's address for browsers, signed for the gateway as well. */
export function publicAddressOf(signed: string, place: PublicPlace): string {
  const bucketUrl = bucketUrlOf(place);
  if (!signed.startsWith(`${bucketUrl}/`)) throw new TypeError('not an address of this bucket');
  const target = `${objectsPath}${signed.slice(bucketUrl.length)}`;
  return new URL(place.publicUrl).origin + new UploadAddresses(place.serviceCredential).sign(target);
}
