import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Env } from '@caravan/service-kit/env';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsEnv } from '../env.ts';
import type { Keys } from './sealed-tokens.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** `keyId` tells which key opens it. */
export type Sealed = { readonly keyId: string; readonly sealed: Uint8Array<ArrayBuffer> };

/** Seals by the key of today, and opens by it and those before. A text is sealed as what it is: it opens as nothing else. */
@Injectable()
export class TokenKeys implements Keys {
  readonly currentId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(@Inject(Env) env: Pick<IntegrationsEnv, 'PROVIDER_TOKEN_KEY' | 'PROVIDER_TOKEN_KEYS_BEFORE'>) {
    this.currentId = idOf(env.PROVIDER_TOKEN_KEY);
    this.keys = new Map([env.PROVIDER_TOKEN_KEY, ...env.PROVIDER_TOKEN_KEYS_BEFORE].map((key) => [idOf(key), key]));
  }

  get ids(): readonly string[] {
    return [...this.keys.keys()];
  }

  seal(text: string, what: string): Sealed {
    const nonce = randomBytes(nonceBytes);
    const encryption = createCipheriv(cipher, this.keyOf(this.currentId), nonce).setAAD(Buffer.from(what));
    const secret = [encryption.update(text, 'utf8'), encryption.final()];
    const sealed = new Uint8Array(Buffer.concat([nonce, ...secret, encryption.getAuthTag()]));
    return { keyId: this.currentId, sealed };
  }

  /** Throws where another key, another text or a changed one is opened. */
  open({ keyId, sealed }: Sealed, what: string): string {
    const decryption = createDecipheriv(cipher, this.keyOf(keyId), sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(what))
      .setAuthTag(sealed.subarray(-tagBytes));
    const secret = sealed.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decryption.update(secret), decryption.final()]).toString('utf8');
  }

  private keyOf(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`No key ${id} is set: PROVIDER_TOKEN_KEYS_BEFORE must name what sealed it`);
    return key;
  }
}

/** Enough of its hash to tell keys apart, nothing of the key. */
const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64url').slice(0, 10);
