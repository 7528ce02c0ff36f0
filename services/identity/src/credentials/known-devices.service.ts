import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieOf } from '@caravan/auth/cookies';
import type { ProductCookie } from '@caravan/auth/cookies';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import { Env } from '@caravan/service-kit/process/env';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';

type Entry = { readonly deviceId: string; readonly day: number; readonly mac: string };

const dayMilliseconds = 86_400_000;
const knownDays = 180;
// A family at one browser. Whoever signed in longest ago makes room.
const accountsPerDevice = 5;
const entryPattern = /^([\w-]{22})\.(\d{1,6})\.([\w-]{43})$/;

/** Known by a signed cookie (ADR 0027). It proves nobody's identity: attempts from there are counted apart. */
export class KnownDevices {
  private readonly key: Buffer;
  private readonly cookie: ProductCookie;

  constructor(env: Pick<IdentityEnv, 'KEY_ENCRYPTION_KEY' | 'PUBLIC_URL'>) {
    this.key = Buffer.from(hkdfSync('sha256', env.KEY_ENCRYPTION_KEY, '', 'caravan known devices', 32));
    this.cookie = cookieOf('device', env.PUBLIC_URL);
  }

  /** Undefined when the Cookie header does not prove it. */
  deviceOf(cookies: string | undefined, email: string, at: Date): string | undefined {
    return this.entriesIn(cookies, at).find((entry) => this.isFor(entry, email))?.deviceId;
  }

  /** A Set-Cookie header; accounts that know the device already stay. */
  remember(cookies: string | undefined, email: string, at: Date): string {
    const entries = this.entriesIn(cookies, at);
    const known = entries.find((entry) => this.isFor(entry, email));
    const deviceId = known?.deviceId ?? randomBytes(16).toString('base64url');
    const day = dayOf(at);
    const renewed = { deviceId, day, mac: this.macOf(email, deviceId, day) };
    const kept = [renewed, ...entries.filter((entry) => entry !== known)].slice(0, accountsPerDevice);
    const text = kept.map((entry) => `${entry.deviceId}.${entry.day}.${entry.mac}`).join('~');
    return this.cookie.write(text, new Date(at.getTime() + knownDays * dayMilliseconds));
  }

  private entriesIn(cookies: string | undefined, at: Date): Entry[] {
    const texts = (this.cookie.read(cookies) ?? '').split('~', accountsPerDevice);
    return texts.flatMap((text) => {
      const [, deviceId = '', day = '', mac = ''] = entryPattern.exec(text) ?? [];
      const age = dayOf(at) - Number(day);
      return deviceId === '' || age < 0 || age > knownDays ? [] : [{ deviceId, day: Number(day), mac }];
    });
  }

  private isFor({ deviceId, day, mac }: Entry, email: string): boolean {
    return timingSafeEqual(Buffer.from(mac), Buffer.from(this.macOf(email, deviceId, day)));
  }

  private macOf(email: string, deviceId: string, day: number): string {
    const text = `${deviceId}.${day}.${emailKeyOf(email)}`;
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / dayMilliseconds);
}

const markCharacters = 16;

/** What logs call an e-mail address: without the key nobody finds it by trying. */
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
