import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Env } from '@caravan/service-kit/process/env';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { invalidLink } from '../mail/index.ts';
import type { MailSwitch } from './delivery.ts';
import type { Person } from './due-notices.store.ts';
import { switchOff } from './mail-switches.store.ts';

const switches = ['email', 'teamUpdates', 'weeklyReports'] as const satisfies readonly MailSwitch[];

const idBytes = 16;
const bodyBytes = 2 * idBytes + 1;
const signatureBytes = 32;

/** What a mail ends with: it turns one switch of one member off, for as long as they keep the mail, and can do nothing else. */
@Injectable()
export class Unsubscribing {
  private readonly key: Buffer;

  constructor(
    @Inject(Env) env: IdentityEnv,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', env.KEY_ENCRYPTION_KEY, '', 'caravan unsubscribe links', 32));
  }

  tokenFor({ orgId, userId }: Person, mails: MailSwitch): string {
    const body = Buffer.concat([bytesOf(orgId), bytesOf(userId), Buffer.of(switches.indexOf(mails))]);
    return Buffer.concat([body, this.signatureOf(body)]).toString('base64url');
  }

  /** Pressing again changes nothing. Throws `Invalid` for a token that was not made here, or whose member is gone. */
  async unsubscribe(token: string): Promise<MailSwitch> {
    const opened = this.open(token);
    if (!opened) throw invalidLink('unsubscribe');
    const { orgId, userId, mails } = opened;
    const isThere = await withTenant(this.pool, orgId, (tx) => switchOff(tx, { orgId, userId }, mails));
    if (!isThere) throw invalidLink('unsubscribe');
    this.live.publish(orgId, ['me'], { to: userId });
    return mails;
  }

  private open(token: string): (Person & { readonly mails: MailSwitch }) | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== bodyBytes + signatureBytes) return undefined;
    const body = bytes.subarray(0, bodyBytes);
    const signature = bytes.subarray(bodyBytes);
    if (!timingSafeEqual(signature, this.signatureOf(body))) return undefined;
    const mails = switches[body.readUInt8(2 * idBytes)];
    if (mails === undefined) return undefined;
    return { orgId: uuidAt(body, 0), userId: uuidAt(body, idBytes), mails };
  }

  private signatureOf(body: Buffer): Buffer {
    return createHmac('sha256', this.key).update(body).digest();
  }
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + idBytes);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
