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

/** The address that a browser is told in place of the storage's own. */
export function publicAddressOf(signed: string, place: BucketPlace, publicUrl: string): string {
  const bucketUrl = bucketUrlOf(place);
  if (!signed.startsWith(`${bucketUrl}/`)) throw new TypeError('not an address of this bucket');
  return `${new URL(publicUrl).origin}${objectsPath}${signed.slice(bucketUrl.length)}`;
}
