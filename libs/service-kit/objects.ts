import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import { Dependency, Unanswered } from './dependency.ts';
import { isAway } from './problem.ts';

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

/** Keys are made by servers and start with the organisation's id. */
export type ObjectStorage = {
  put(key: string, content: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<Readable | null>;
  stat(key: string): Promise<ObjectFacts | null>;
  remove(key: string): Promise<void>;
  presignPut(key: string, expiresInSeconds: number): Promise<string>;
  presignGet(key: string, expiresInSeconds: number): Promise<string>;
  ensureBucket(): Promise<void>;
  check(): Promise<void>;
};

/** For an answer to begin; a file that comes is its reader's business. */
export const objectsDependency = {
  name: 'objects',
  budgetMilliseconds: 3_000,
  isAway: (error: unknown) => error instanceof Unanswered || isAway(error),
};

const putMilliseconds = 30_000;

const noSuchObject = ['NoSuchKey', 'NotFound'];

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

/** Nothing is loaded or sent before the first call. Throws `Unanswered`. */
export function createObjectStorage(
  settings: ObjectSettings,
  dependency = new Dependency(objectsDependency),
): ObjectStorage {
  const { bucket, region } = settings;
  let opened: Promise<Client> | undefined;
  const client = () => (opened ??= open(settings));
  const ask = async <Answer>(work: (client: Client) => Promise<Answer>, milliseconds?: number): Promise<Answer> => {
    const loaded = await client();
    return dependency.call(() => work(loaded), milliseconds);
  };
  return {
    put: async (key, content, contentType) => {
      const about = { 'Content-Type': contentType };
      await ask((minio) => minio.putObject(bucket, key, content, content.length, about), putMilliseconds);
    },
    get: (key) => orNull(ask((minio) => minio.getObject(bucket, key))),
    stat: async (key) => {
      const found = await orNull(ask((minio) => minio.statObject(bucket, key)));
      if (!found) return null;
      return {
        sizeBytes: found.size,
        contentType: String(found.metaData['content-type'] ?? 'application/octet-stream'),
        etag: found.etag,
        modifiedAt: found.lastModified,
      };
    },
    remove: (key) => ask((minio) => minio.removeObject(bucket, key)),
    presignPut: async (key, expiresInSeconds) => (await client()).presignedPutObject(bucket, key, expiresInSeconds),
    presignGet: async (key, expiresInSeconds) => (await client()).presignedGetObject(bucket, key, expiresInSeconds),
    ensureBucket: async () => {
      if (await ask((minio) => minio.bucketExists(bucket))) return;
      await ask((minio) => minio.makeBucket(bucket, region)).catch((error: unknown) => {
        if (codeOf(error) !== 'BucketAlreadyOwnedByYou' && codeOf(error) !== 'BucketAlreadyExists') throw error;
      });
    },
    check: () => ask((minio) => minio.bucketExists(bucket)).then(() => undefined),
  };
}

async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (noSuchObject.includes(String(codeOf(error)))) return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
