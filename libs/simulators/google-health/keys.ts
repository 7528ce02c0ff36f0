import { generateKeyPairSync, type KeyObject, randomInt, sign } from 'node:crypto';

type Key = { readonly id: number; readonly privateKey: KeyObject; readonly value: string };

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]);
const bytesField = (field: number, bytes: Buffer) =>
  Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);

/** EcdsaPublicKey of Tink: SHA-256, P-256, DER. Coordinates have a leading zero, as Java writes them. */
function publicKeyValue(publicKey: KeyObject): string {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const params = Buffer.from([0x08, 3, 0x10, 2, 0x18, 2]);
  const coordinate = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'base64url')]);
  const fields = [bytesField(2, params), bytesField(3, coordinate(x)), bytesField(4, coordinate(y))];
  return Buffer.concat(fields).toString('base64');
}

/** Signs deliveries and publishes the keys to verify them by; the older key is published for a while after a rotation. */
export class SigningKeys {
  private keys: Key[] = [];

  constructor() {
    this.rotate();
  }

  rotate(): void {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.keys = [{ id: randomInt(1, 2 ** 32), privateKey, value: publicKeyValue(publicKey) }, ...this.keys].slice(0, 2);
  }

  /** 0x01, the key's id in four bytes, the signature in DER; in base64. */
  signatureOf(body: string | Buffer): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is no key');
    const prefix = Buffer.alloc(5, 1);
    prefix.writeUInt32BE(key.id, 1);
    return Buffer.concat([prefix, sign('sha256', Buffer.from(body), key.privateKey)]).toString('base64');
  }

  keyset(): object {
    const typeUrl = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
    return {
      primaryKeyId: this.keys[0]?.id,
      key: this.keys.map(({ id, value }) => ({
        keyData: { typeUrl, value, keyMaterialType: 'ASYMMETRIC_PUBLIC' },
        status: 'ENABLED',
        keyId: id,
        outputPrefixType: 'TINK',
      })),
    };
  }
}
