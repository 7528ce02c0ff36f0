import type { Readable } from 'node:stream';
import type { BucketItemStat, Client } from 'minio';
import { Dependency, Unanswered } from '../process/dependency.ts';
import { isAway } from '@caravan/kernel/problem';
import { publicAddressOf, sizeParameter } from './storage-address.ts';
import type { ServiceEnv } from '../process/env.ts';

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
  /** Shared by the instance's processes: the gateway recognises by it the addresses that services gave out. */
  readonly serviceCredential: string;
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
  serviceCredential: env.SERVICE_CREDENTIAL,
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
  /** No object, and no part of one, unless all of it comes. Holds two parts of it at most. Answers its size in bytes. */
  putStream(key: string, content: Readable, contentType: string): Promise<number>;
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
/** S3 takes none below 5 MiB but the last. */
export const partBytes = 8 * 1_024 * 1_024;
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
  dependency.probeWith(async () => (await client()).bucketExists(bucket));
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
    putStream: (key, content, contentType) => streamTo({ ask, bucket, key }, content, contentType),
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
  const { bucket, publicEndpoint } = settings;
  let opened: Promise<Client> | undefined;
  const client =
    publicEndpoint === undefined ? privateClient : () => (opened ??= open({ ...settings, endpoint: publicEndpoint }));
  return async (key, { expiresInSeconds, sizeBytes }) => {
    const query = sizeBytes === undefined ? {} : { [sizeParameter]: String(sizeBytes) };
    const signed = await (await client()).presignedUrl('PUT', bucket, key, expiresInSeconds, query);
    return publicEndpoint === undefined ? publicAddressOf(signed, settings) : signed;
  };
}

type Ask = <Answer>(work: (client: Client) => Promise<Answer>, milliseconds?: number) => Promise<Answer>;
type Target = { readonly ask: Ask; readonly bucket: string; readonly key: string };

async function streamTo({ ask, bucket, key }: Target, content: Readable, contentType: string): Promise<number> {
  const about = { 'Content-Type': contentType };
  let uploadId: string | undefined;
  let sizeBytes = 0;
  const arrived: { part: number; etag: string }[] = [];
  try {
    for await (const { bytes, isAll } of partsOf(content)) {
      sizeBytes += bytes.length;
      if (isAll) await ask((minio) => minio.putObject(bucket, key, bytes, bytes.length, about), putMilliseconds);
      else {
        const id = (uploadId ??= await ask((minio) => minio.initiateNewMultipartUpload(bucket, key, about)));
        const part = arrived.length + 1;
        arrived.push({
          part,
          etag: await ask((minio) => putPart(minio, { bucket, key, id, part }, bytes), putMilliseconds),
        });
      }
    }
    if (uploadId !== undefined) {
      const id = uploadId;
      await ask((minio) => minio.completeMultipartUpload(bucket, key, id, arrived), putMilliseconds);
    }
    return sizeBytes;
  } catch (error) {
    const id = uploadId;
    if (id !== undefined) await ask((minio) => minio.abortMultipartUpload(bucket, key, id)).catch(() => undefined);
    throw error;
  }
}

async function putPart(
  minio: Client,
  { bucket, key, id, part }: { bucket: string; key: string; id: string; part: number },
  bytes: Buffer,
): Promise<string> {
  const query = new URLSearchParams({ partNumber: String(part), uploadId: id }).toString();
  const options = { method: 'PUT', bucketName: bucket, objectName: key, query };
  const { headers } = await minio.makeRequestAsyncOmit(options, bytes);
  return headers.etag?.replaceAll('"', '') ?? '';
}

/** As large as parts are, but for the last; `isAll` where there is one only. */
async function* partsOf(content: Readable): AsyncGenerator<{ bytes: Buffer; isAll: boolean }> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isFirst = true;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (heldBytes >= partBytes) {
      yield { bytes: Buffer.concat(held), isAll: false };
      [held, heldBytes, isFirst] = [[], 0, false];
    }
    held.push(chunk);
    heldBytes += chunk.length;
  }
  if (isFirst || heldBytes > 0) yield { bytes: Buffer.concat(held), isAll: isFirst };
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
