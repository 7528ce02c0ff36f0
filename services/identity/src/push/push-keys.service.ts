import { Env } from '@caravan/service-kit/process/env';
import { Pool } from '@caravan/service-kit/storage/pool';
import { isAway } from '@caravan/kernel/problem';
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { openSealedKey } from '../signing-keys/index.ts';
import { sealedPushKey } from './subscriptions.store.ts';
import type { PushKeys } from './web-push.client.ts';

/** The pair by which push services know this instance (RFC 8292): made at the first start, kept sealed, never changed. */
@Injectable()
export class PushKeyPair implements OnModuleInit {
  private opened: PushKeys | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  async onModuleInit(): Promise<void> {
    // A database that is not there yet is waited for; a key that cannot be opened stops the start.
    await this.open().catch((error: unknown) => {
      if (!isAway(error)) throw error;
    });
  }

  get(): Promise<PushKeys> {
    return this.opened ? Promise.resolve(this.opened) : this.open();
  }

  private async open(): Promise<PushKeys> {
    const { kid, publicJwk, sealed } = await sealedPushKey(this.pool, this.env.KEY_ENCRYPTION_KEY, new Date());
    const { d = '' } = openSealedKey(kid, sealed, this.env.KEY_ENCRYPTION_KEY).export({ format: 'jwk' });
    const [x, y] = [publicJwk.x, publicJwk.y].map((part) => Buffer.from(part, 'base64url'));
    const point = Buffer.concat([Buffer.of(4), x ?? Buffer.alloc(0), y ?? Buffer.alloc(0)]);
    this.opened = { publicKey: point.toString('base64url'), privateKey: d };
    return this.opened;
  }
}
