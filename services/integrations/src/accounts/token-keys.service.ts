import { createHash } from 'node:crypto';
import { Env } from '@caravan/service-kit/process/env';
import { seal, unseal } from '@caravan/service-kit/http/sealing';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsEnv } from '../env.ts';
import type { Keys } from './sealed-tokens.ts';

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
    const sealed = seal(Buffer.from(text), this.keyOf(this.currentId), what);
    return { keyId: this.currentId, sealed: new Uint8Array(sealed) };
  }

  /** Throws where another key, another text or a changed one is opened. */
  open({ keyId, sealed }: Sealed, what: string): string {
    return unseal(sealed, this.keyOf(keyId), what).toString('utf8');
  }

  private keyOf(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`No key ${id} is set: PROVIDER_TOKEN_KEYS_BEFORE must name what sealed it`);
    return key;
  }
}

/** Enough of its hash to tell keys apart, nothing of the key. */
const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64url').slice(0, 10);
