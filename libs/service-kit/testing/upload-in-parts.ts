import { Client } from 'minio';
import type { ObjectSettings } from '../storage/objects.ts';
import { publicAddressOf } from '../storage/storage-address.ts';

export type UploadInParts = {
  /** An address of the product that takes a PUT of this part. */
  readonly addressOf: (part: number) => Promise<string>;
  readonly complete: (parts: readonly { readonly part: number; readonly etag: string }[]) => Promise<unknown>;
};

/** Begins an object that browsers send in parts, as the upload panel's server side does it. */
export async function beginUploadInParts(settings: ObjectSettings, key: string): Promise<UploadInParts> {
  const { endpoint, bucket, region, accessKey, secretKey, isPathStyle } = settings;
  const { hostname, port, protocol } = new URL(endpoint);
  const storage = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    region,
    pathStyle: isPathStyle,
  });
  const uploadId = await storage.initiateNewMultipartUpload(bucket, key, { 'content-type': 'image/jpeg' });
  return {
    addressOf: async (part) => {
      const named = { partNumber: String(part), uploadId };
      return publicAddressOf(await storage.presignedUrl('PUT', bucket, key, 60, named), settings);
    },
    complete: (parts) => storage.completeMultipartUpload(bucket, key, uploadId, [...parts]),
  };
}
