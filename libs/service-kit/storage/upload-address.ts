import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The last parameter of an upload's address. The gateway verifies it and takes it away, since the storage knows none. */
export const uploadSignatureParameter = 'x-upload-signature';

const signedTarget = new RegExp(`^(.*)&${uploadSignatureParameter}=([\\w-]{43})$`, 's');

/**
 * Signs the addresses of uploads for the gateway, which has no key of the storage and still must know whether a service
 * gave out an address before anything is spent on it. The key is derived from the credential that processes share.
 */
export class UploadAddresses {
  private readonly key: Buffer;

  constructor(serviceCredential: string) {
    this.key = Buffer.from(hkdfSync('sha256', serviceCredential, '', 'caravan upload addresses', 32));
  }

  /** @param target path and query, as the gateway receives them. */
  sign(target: string): string {
    return `${target}&${uploadSignatureParameter}=${this.signatureOf(target).toString('base64url')}`;
  }

  /** Returns what was signed, without the signature; undefined when no service signed it. Compares in constant time. */
  verify(target: string): string | undefined {
    const [, unsigned, shown = ''] = signedTarget.exec(target) ?? [];
    if (unsigned === undefined) return undefined;
    return timingSafeEqual(Buffer.from(shown, 'base64url'), this.signatureOf(unsigned)) ? unsigned : undefined;
  }

  private signatureOf(target: string): Buffer {
    return createHmac('sha256', this.key).update(target).digest();
  }
}
