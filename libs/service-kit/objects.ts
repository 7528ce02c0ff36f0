import type { Readable } from 'node:stream';
import type { Client } from 'minio';

/** Injection token of the service's object storage: one bucket of an S3 server. */
export const ObjectStorage = Symbol('ObjectStorage');

export type ObjectSettings = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
};

export type ObjectFacts = {
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly etag: string;
  readonly modifiedAt: Date;
};

/** Objects by key; keys are made by servers and start with the organisation's id. */
export type ObjectStorage = {
  put(key: string, content: Buffer, contentType: string): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<Readable | null>;
  stat(key: string): Promise<ObjectFacts | null>;
  /** Also succeeds when there is no such object. */
  remove(key: string): Promise<void>;
  /** An address that takes one PUT of this object without further credentials. */
  presignPut(key: string, expiresInSeconds: number): Promise<string>;
  presignGet(key: string, expiresInSeconds: number): Promise<string>;
  ensureBucket(): Promise<void>;
  /** Throws when the server does not answer. */
  check(): Promise<void>;
};

/** The client is the largest library of all, and most services keep no objects: it is loaded when it is needed. */
async function open({ endpoint, region, accessKey, secretKey }: ObjectSettings): Promise<Client> {
  const minio = await import('minio');
  const { hostname, port, protocol } = new URL(endpoint);
  return new minio.Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    region,
    pathStyle: true,
  });
}

/** The bucket of a service; nothing is loaded or sent before the first call. */
export function createObjectStorage(settings: ObjectSettings): ObjectStorage {
  const { bucket, region } = settings;
  let opened: Promise<Client> | undefined;
  const client = () => (opened ??= open(settings));
  return {
    put: async (key, content, contentType) => {
      await (await client()).putObject(bucket, key, content, content.length, { 'Content-Type': contentType });
    },
    get: async (key) => orNull((await client()).getObject(bucket, key)),
    stat: async (key) => {
      const found = await orNull((await client()).statObject(bucket, key));
      if (!found) return null;
      return {
        sizeBytes: found.size,
        contentType: String(found.metaData['content-type'] ?? 'application/octet-stream'),
        etag: found.etag,
        modifiedAt: found.lastModified,
      };
    },
    remove: async (key) => (await client()).removeObject(bucket, key),
    presignPut: async (key, expiresInSeconds) => (await client()).presignedPutObject(bucket, key, expiresInSeconds),
    presignGet: async (key, expiresInSeconds) => (await client()).presignedGetObject(bucket, key, expiresInSeconds),
    ensureBucket: async () => {
      if (await (await client()).bucketExists(bucket)) return;
      await (await client()).makeBucket(bucket, region).catch((error: unknown) => {
        if (codeOf(error) !== 'BucketAlreadyOwnedByYou' && codeOf(error) !== 'BucketAlreadyExists') throw error;
      });
    },
    check: async () => {
      await (await client()).bucketExists(bucket);
    },
  };
}

async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (['NoSuchKey', 'NotFound'].includes(String(codeOf(error)))) return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
