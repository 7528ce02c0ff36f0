import type { Readable } from 'node:stream';
import type { BucketItemStat, Client } from 'minio';
import { Dependency, Unanswered } from './dependency.ts';
import { isAway } from './problem.ts';
import { publicAddressOf, sizeParameter } from './storage-address.ts';
import type { ServiceEnv } from './env.ts';

export const ObjectStorage = Symbol('ObjectStorage');

export type ObjectSettings = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly isPathStyle: boolean;
  /** Where browsers reach the product, whose gateway passes uploads on. */
  readonly publicUrl: string;
  /** Where browsers reach the storage itself; then nothing passes through the gateway. */
  readonly publicEndpoint?: string | undefined;
};

export const objectSettingsOf = (env: ServiceEnv): ObjectSettings => ({
  endpoint: env.S3_ENDPOINT,
  bucket: env.S3_BUCKET,
  region: env.S3_REGION,
  accessKey: env.S3_ACCESS_KEY,
  secretKey: env.S3_SECRET_KEY,
  isPathStyle: env.S3_PATH_STYLE,
  publicUrl: env.PUBLIC_URL,
  publicEndpoint: env.S3_PUBLIC_URL,
});

export type ObjectFacts = {
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly etag: string;
  readonly modifiedAt: Date;
};

export type UploadRules = { readonly expiresInSeconds: number; readonly sizeBytes?: number | undefined };

/** Keys are made by servers and start with the organisation's id. */
export type ObjectStorage = {
  put(key: string, content: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<Readable | null>;
  stat(key: string): Promise<ObjectFacts | null>;
  remove(key: string): Promise<void>;
  /** All keys that begin so. */
  list(prefix: string): Promise<string[]>;
  /** Gives up what came in parts, with its parts. One that is not there any more is given up. */
  abort(key: string, multipartId: string): Promise<void>;
  /** An address for browsers: whoever has it may PUT this object until it expires. The gateway holds them to the size. */
  presignUpload(key: string, upload: UploadRules): Promise<string>;
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
const listMilliseconds = 60_000;

const noSuchObject = ['NoSuchKey', 'NoSuchUpload', 'NotFound'];

async function open({ endpoint, region, accessKey, secretKey, isPathStyle }: ObjectSettings): Promise<Client> {
  const minio = await import('minio');
  const { hostname, port, protocol } = new URL(endpoint);
  return new minio.Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    region,
    pathStyle: isPathStyle,
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
  const presignUpload = uploadSigner(settings, client);
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
      return found && factsOf(found);
    },
    remove: (key) => ask((minio) => minio.removeObject(bucket, key)),
    list: (prefix) => ask((minio) => keysBelow(minio, bucket, prefix), listMilliseconds),
    abort: async (key, multipartId) => {
      await orNull(ask((minio) => minio.abortMultipartUpload(bucket, key, multipartId)));
    },
    presignUpload,
    ensureBucket: async () => {
      if (await ask((minio) => minio.bucketExists(bucket))) return;
      await ask((minio) => minio.makeBucket(bucket, region)).catch((error: unknown) => {
        if (codeOf(error) !== 'BucketAlreadyOwnedByYou' && codeOf(error) !== 'BucketAlreadyExists') throw error;
      });
    },
    check: () => ask((minio) => minio.bucketExists(bucket)).then(() => undefined),
  };
}

/** An address is signed for its host: for another one it takes another client, which asks nobody anything. */
function uploadSigner(settings: ObjectSettings, privateClient: () => Promise<Client>): ObjectStorage['presignUpload'] {
  const { bucket, publicEndpoint, publicUrl } = settings;
  let opened: Promise<Client> | undefined;
  const client =
    publicEndpoint === undefined ? privateClient : () => (opened ??= open({ ...settings, endpoint: publicEndpoint }));
  return async (key, { expiresInSeconds, sizeBytes }) => {
    const query = sizeBytes === undefined ? {} : { [sizeParameter]: String(sizeBytes) };
    const signed = await (await client()).presignedUrl('PUT', bucket, key, expiresInSeconds, query);
    return publicEndpoint === undefined ? publicAddressOf(signed, settings, publicUrl) : signed;
  };
}

async function keysBelow(minio: Client, bucket: string, prefix: string): Promise<string[]> {
  const found = (await minio.listObjectsV2(bucket, prefix, true).toArray()) as { name?: string }[];
  return found.flatMap(({ name = [] }) => name);
}

const factsOf = ({ size, metaData, etag, lastModified }: BucketItemStat): ObjectFacts => ({
  sizeBytes: size,
  contentType: String(metaData['content-type'] ?? 'application/octet-stream'),
  etag,
  modifiedAt: lastModified,
});

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
