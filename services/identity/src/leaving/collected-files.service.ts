import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import type { MyData } from '@caravan/contracts/http/my-data';
import { Env } from '@caravan/service-kit/process/env';
import { readMyData } from '@caravan/service-kit/storage/my-data';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { Inject, Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { csvOf } from '../audit/index.ts';
import type { IdentityEnv } from '../env.ts';
import { isSayableSql } from '../notices/index.ts';
import { seenFollowsSql } from '../people/index.ts';
import { KeyRing } from '../signing-keys/index.ts';
import type { ExportRef, Holder } from './exports.store.ts';

/** What identity holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
export const ownFiles = {
  account: `
    select p.user_id, p.name, p.email, p.phone, p.time_zone, p.activity_level,
      p.bio, p.location, p.favorite_activity, p.profile_photo_url,
      o.name as organization, p.created_at, p.email_confirmed_at
    from persons p join organisations o on o.org_id = p.org_id where p.org_id = $1 and p.user_id = $2`,
  settings: `
    select theme, units, notify_by_email, notify_by_push,
      notify_of_team, notify_weekly, profile_visible,
      activity_visible, stats_visible, share_heart_rate,
      share_calories, featured_in_recaps
    from persons where org_id = $1 and user_id = $2`,
  membership: `
    select t.name as team, t.emoji as team_emoji, m.role, m.is_active, m.joined_at,
      (coalesce(s.total_centimiles, 0) / 100.0)::float8 as total_miles,
      case when s.has_own_streak then s.own_run_started_on else s.run_started_on end as streak_started_on,
      case when s.has_own_streak then s.own_run_ended_on else s.run_ended_on end as streak_ended_on
    from memberships m
    join teams t on (t.org_id, t.team_id) = (m.org_id, m.team_id)
    left join member_scores s on (s.org_id, s.user_id) = (m.org_id, m.user_id)
    where m.org_id = $1 and m.user_id = $2`,
  sessions: `
    select device, created_at, last_seen_at, expires_at,
      ended_at, end_reason
    from sessions where org_id = $1 and user_id = $2 order by created_at`,
  following: `
    select p.name, f.followed_at ${seenFollowsSql('following')} order by f.followed_at`,
  followers: `
    select p.name, f.followed_at ${seenFollowsSql('followers')} order by f.followed_at`,
  'invites-created': `
    select code, created_at, expires_at, max_uses, uses, domains,
      revoked_at
    from invites where org_id = $1 and created_by = $2 order by created_at`,
  'wanted-address': `
    select email, requested_at, mailed_at, expires_at
    from email_confirmations where org_id = $1 and user_id = $2`,
  'earlier-addresses': `
    select email, new_email, has_changed, created_at, expires_at
    from email_undos where org_id = $1 and user_id = $2 order by created_at`,
  'password-links': `
    select created_at, expires_at, used_at
    from password_resets where org_id = $1 and user_id = $2 order by created_at`,
  'notices-by-mail-and-push': `
    select kind, case when ${isSayableSql} then text end as text, lines,
      case when ${isSayableSql} then link end as link, raised_at, expires_at,
      mail_at, mailed_at, push_at
    from due_notices d where org_id = $1 and user_id = $2 order by raised_at`,
  'push-subscriptions': `
    select p.endpoint, s.device, p.subscribed_at from push_subscriptions p
    join sessions s on (s.org_id, s.session_id) = (p.org_id, p.session_id)
    where p.org_id = $1 and p.user_id = $2 order by p.subscribed_at`,
  'kept-answers': `
    select key as idempotency_key, answer, answered_at
    from es.requests where org_id = $1 and owner = $2::text order by answered_at, key`,
} as const;

const timeoutMilliseconds = 30_000;

@Injectable()
export class CollectedFiles {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
  ) {}

  /** One zip of everything. Throws when a service is away: half of somebody's data is not their data. */
  async zip({ orgId, userId, exportId }: ExportRef, { name, role }: Holder): Promise<Readable> {
    const at = new Date();
    // Asked as the person, they answer what they would answer the person, who may be signed out by now.
    const token = await this.keyRing.issueErrand({ userId, orgId, role, errandId: exportId }, at);
    const [{ files }, others] = await Promise.all([
      readMyData(this.pool, { orgId, userId }, ownFiles),
      this.dataOfOthers(token),
    ]);
    const tables = Object.fromEntries(others.map(([service, data]) => [service, data.files]));
    const pictures = others.flatMap(([service, { pictures: own = [] }]) =>
      own.map(({ name: file, key }) => ({ path: `${service}/${file}`, key })),
    );
    return zipOf({ account: files, ...tables }, { name, at }, this.filesOf(orgId, pictures));
  }

  /** Each is read when its turn comes. One that was removed a moment ago is left out. */
  private async *filesOf(
    orgId: string,
    pictures: readonly { path: string; key: string }[],
  ): AsyncGenerator<ZippedFile> {
    for (const { path, key } of pictures) {
      if (!key.startsWith(`photos/${orgId}/`)) throw new Error(`${path} is no photo of this organisation`);
      const content = await this.objects.get(key);
      if (content) yield { path, content };
    }
  }

  private async dataOfOthers(token: string): Promise<(readonly [service: string, data: MyData])[]> {
    const credential = new ServiceCredential(this.env.SERVICE_CREDENTIAL);
    const { ACTIVITY_URL, SCORING_URL, SOCIAL_URL, INTEGRATIONS_URL } = this.env;
    const urls = {
      activity: ACTIVITY_URL,
      scoring: SCORING_URL,
      social: SOCIAL_URL,
      integrations: INTEGRATIONS_URL,
    };
    const asked = Object.entries(urls).map(async ([service, url]) => {
      const response = await fetch(`${url}${myDataPath}`, {
        headers: { ...credential.headers, authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      if (!response.ok) throw new Error(`${service} answered ${response.status}`);
      return [service, myDataSchema.parse(await response.json())] as const;
    });
    return Promise.all(asked);
  }
}

export type Collected = Readonly<Record<string, MyData['files']>>;

type Rows = MyData['files'][string];

type ZippedFile = { readonly path: string; readonly content: Readable };

/**
 * A folder per service; a table as JSON with everything and as CSV, and pictures, each opened once the one before has been
 * read. Breaks when a picture does.
 */
export function zipOf(
  collected: Collected,
  about: { name: string; at: Date },
  pictures: AsyncIterable<ZippedFile> | Iterable<ZippedFile> = [],
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: about.at });
  const entries = Object.entries(collected).flatMap(([service, files]) =>
    Object.entries(files).map(([name, rows]) => ({ path: `${service}/${safe(name)}`, rows })),
  );
  add('README.txt', readme(entries, about));
  for (const { path, rows } of entries) {
    add(`${path}.json`, `${JSON.stringify(rows, null, 2)}\n`);
    add(`${path}.csv`, csvOf(rows));
  }
  const addPictures = async () => {
    for await (const { path, content } of pictures) {
      const letGo = () => void content.destroy();
      if (output.destroyed) return letGo();
      output.once('close', letGo);
      // They are compressed already.
      zip.addReadStream(content, path, { mtime: about.at, compress: false });
      await finished(content);
      output.off('close', letGo);
    }
    return zip.end();
  };
  addPictures().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

function safe(name: string): string {
  return name.replaceAll(/[^a-z0-9-]/gi, '-');
}

function readme(entries: readonly { path: string; rows: Rows }[], { name, at }: { name: string; at: Date }): string {
  const list = entries.map(({ path, rows }) => `  ${path}.json, .csv  (${rows.length})`);
  return [
    `Everything Caravan held about ${name} on ${at.toISOString()}.`,
    'Each table comes twice: as JSON, complete, and as CSV for a spreadsheet. Times are UTC, miles are miles.',
    'In CSV files, text that a spreadsheet would take for a formula has an apostrophe before it.',
    'Your password is kept only as a hash that cannot be turned back, so it is not in here.',
    'Tables, with the number of their rows:',
    list.join('\n'),
    '',
  ].join('\n\n');
}
