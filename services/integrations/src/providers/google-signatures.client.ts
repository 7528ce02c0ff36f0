import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { Gone, type Outbound } from './outbound.client.ts';
import { ProviderFailure } from './provider.ts';

const keysetSchema = z.object({
  key: z.array(
    z.object({
      keyId: z.number().int().nonnegative(),
      status: z.string(),
      outputPrefixType: z.string(),
      keyData: z.object({ typeUrl: z.string(), value: z.base64() }),
    }),
  ),
});

const typeUrl = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
/** A published key signs for 30 days; what is forged must not have it fetched all the time. */
const timings = { maxAgeMilliseconds: 3_600_000, refetchMilliseconds: 60_000 };

/** Google's signatures of deliveries: ECDSA over P-256 with SHA-256, as Tink writes keys and signatures. */
export class GoogleSignatures {
  private keys = new Map<number, KeyObject>();
  private fetchedAt = -Infinity;
  private triedAt = -Infinity;
  private pending: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly outbound: Outbound,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `signature`: 0x01, four bytes of key id, DER; in base64. Throws `ProviderFailure` when no key can be had. */
  async isSigned(body: Buffer, signature: string): Promise<boolean> {
    const bytes = Buffer.from(signature, 'base64');
    if (bytes.length < 13 || bytes.length > 200 || bytes[0] !== 1) return false;
    const key = await this.keyOf(bytes.readUInt32BE(1));
    return key !== undefined && verify('sha256', body, key, bytes.subarray(5));
  }

  private async keyOf(id: number): Promise<KeyObject | undefined> {
    const now = this.now();
    const isOld = now - this.fetchedAt >= timings.maxAgeMilliseconds;
    const mayTry = now - this.triedAt >= timings.refetchMilliseconds;
    const known = this.keys.get(id);
    if (known) {
      // A key that was withdrawn goes soon; meanwhile nobody waits.
      if (isOld && mayTry) void this.fetch().catch(() => undefined);
      return known;
    }
    if (this.pending ?? (mayTry || this.fetchedAt === -Infinity)) await this.fetch();
    return this.keys.get(id);
  }

  private fetch(): Promise<void> {
    this.triedAt = this.now();
    return (this.pending ??= this.load().finally(() => (this.pending = undefined)));
  }

  private async load(): Promise<void> {
    const keyset = await this.outbound.ask({ url: this.url, schema: keysetSchema }).catch((error: unknown) => {
      throw error instanceof Gone ? new ProviderFailure('refused', 'there is no keyset') : error;
    });
    const known = keyset.key.filter(
      ({ status, outputPrefixType, keyData }) =>
        status === 'ENABLED' && outputPrefixType === 'TINK' && keyData.typeUrl === typeUrl,
    );
    this.keys = new Map(
      known.flatMap(({ keyId, keyData }) => {
        const key = publicKeyIn(Buffer.from(keyData.value, 'base64'));
        return key ? [[keyId, key]] : [];
      }),
    );
    this.fetchedAt = this.now();
  }
}

type Fields = ReadonlyMap<number, Buffer | number>;

/** EcdsaPublicKey {2: params {1: hash, 2: curve, 3: encoding}, 3: x, 4: y}, for P-256, SHA-256 and DER alone. */
function publicKeyIn(message: Buffer): KeyObject | undefined {
  const fields = fieldsOf(message);
  const [params, x, y] = [2, 3, 4].map((field) => fields?.get(field));
  if (!(params instanceof Buffer) || !(x instanceof Buffer) || !(y instanceof Buffer)) return undefined;
  const [hash, curve, encoding] = [1, 2, 3].map((field) => fieldsOf(params)?.get(field));
  if (hash !== 3 || curve !== 2 || encoding !== 2) return undefined;
  const coordinate = (bytes: Buffer) =>
    Buffer.concat([Buffer.alloc(32), bytes])
      .subarray(-32)
      .toString('base64url');
  try {
    const key = { kty: 'EC', crv: 'P-256', x: coordinate(x), y: coordinate(y) };
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** What of protobuf a Tink key is made of: numbers and bytes. */
function fieldsOf(message: Buffer): Fields | undefined {
  const fields = new Map<number, Buffer | number>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = message[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  };
  while (at < message.length) {
    const tag = varint();
    const value = varint();
    const wireType = tag & 7;
    if (tag < 0 || value < 0 || (wireType !== 0 && wireType !== 2)) return undefined;
    if (wireType === 0) fields.set(tag >> 3, value);
    else fields.set(tag >> 3, message.subarray(at, (at += value)));
  }
  return fields;
}
