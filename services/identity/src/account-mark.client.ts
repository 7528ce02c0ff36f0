import { createHmac, hkdfSync } from 'node:crypto';
import { Env } from '@caravan/service-kit/env';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from './env.ts';

const markCharacters = 16;

/** What an e-mail address is called in logs: equal for equal ones, and without the key nobody finds it by trying. */
@Injectable()
export class AccountMarks {
  private readonly key: Buffer;

  constructor(@Inject(Env) { KEY_ENCRYPTION_KEY: secret }: IdentityEnv) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'caravan account marks', 32));
  }

  of(emailKey: string): string {
    return createHmac('sha256', this.key).update(emailKey).digest('base64url').slice(0, markCharacters);
  }
}
