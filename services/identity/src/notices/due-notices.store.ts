import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { isNamedInNoticeSql } from '@caravan/service-kit/http/named-in-notices';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { NoticeKind, Switches } from './delivery.ts';

export type Person = { readonly orgId: string; readonly userId: string };

export type DueNotice = Person & {
  readonly noticeId: string;
  readonly kind: NoticeKind;
  readonly text: string;
  /** For those who chose kilometres; null where `text` fits everybody. */
  readonly metricText: string | null;
  readonly lines: readonly string[];
  /** Once one of these members is erased, or hides what it says, it is not to be said any more. */
  readonly namedIds: readonly string[];
  readonly link: string;
  readonly raisedAt: Date;
  readonly expiresAt: Date | null;
};
type TimedNotice = DueNotice & { readonly mailAt: Date | null; readonly pushAt: Date | null };

export type SettledNotice = Person & { readonly noticeId: string };

/** The zones of those who are members; who left or was deactivated is told nothing. */
export async function zonesOf(tx: Tx, persons: readonly Person[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ userId: string; timeZone: string }>(
    `select p.user_id, p.time_zone from persons p
      join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
      join (select distinct * from unnest($1::uuid[], $2::uuid[])) as asked (org_id, user_id)
        on (asked.org_id, asked.user_id) = (p.org_id, p.user_id)
      where m.is_active`,
    [persons.map(({ orgId }) => orgId), persons.map(({ userId }) => userId)],
  );
  return new Map(rows.map(({ userId, timeZone }) => [userId, timeZone]));
}

/** A notice that grew says so if it has not been told yet; told is told, and its times stay. */
export async function keepDue(tx: Tx, notices: readonly TimedNotice[]): Promise<void> {
  if (notices.length === 0) return;
  // In one order for all: batches of two processes cannot wait for each other in a circle.
  await tx.query(
    `insert into due_notices (org_id, user_id, notice_id, kind, text, metric_text, lines, named_ids, link, raised_at,
        expires_at, mail_at, push_at)
      select org_id, user_id, notice_id, kind, text, metric_text, array(select json_array_elements_text(lines)),
        array(select json_array_elements_text(named_ids)::uuid), link, raised_at, expires_at, mail_at, push_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::json[], $7::json[], $8::text[],
        $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::text[]) as due (org_id, user_id,
        notice_id, kind, text, lines, named_ids, link, raised_at, expires_at, mail_at, push_at, metric_text)
      order by 1, 2, 3
      on conflict (org_id, user_id, notice_id) do update
        set text = excluded.text, metric_text = excluded.metric_text, lines = excluded.lines,
          named_ids = excluded.named_ids, link = excluded.link, expires_at = excluded.expires_at
        where due_notices.mail_at is not null or due_notices.push_at is not null`,
    [
      notices.map(({ orgId }) => orgId),
      notices.map(({ userId }) => userId),
      notices.map(({ noticeId }) => noticeId),
      notices.map(({ kind }) => kind),
      notices.map(({ text }) => text),
      notices.map(({ lines }) => JSON.stringify(lines)),
      notices.map(({ namedIds }) => JSON.stringify(namedIds)),
      notices.map(({ link }) => link),
      notices.map(({ raisedAt }) => raisedAt),
      notices.map(({ expiresAt }) => expiresAt),
      notices.map(({ mailAt }) => mailAt),
      notices.map(({ pushAt }) => pushAt),
      notices.map(({ metricText }) => metricText),
    ],
  );
}

export async function zonesOfAll(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await tx.query<{ timeZone: string }>('select distinct time_zone from persons where org_id = $1', [
    orgId,
  ]);
  return rows.map(({ timeZone }) => timeZone);
}

type Report = Omit<DueNotice, 'userId' | 'namedIds'> & { readonly metricLines: readonly string[] };

/** For every member of the organisation. */
export async function keepReport(
  tx: Tx,
  { orgId, noticeId, kind, text, metricText, lines, metricLines, link, raisedAt }: Report,
  mornings: readonly { readonly timeZone: string; readonly mailAt: Date }[],
): Promise<void> {
  await tx.query(
    `insert into due_notices (org_id, user_id, notice_id, kind, text, lines, link, raised_at, metric_text, metric_lines,
        mail_at)
      select p.org_id, p.user_id, $2, $3, $4, $5, $6, $7, $10, $11, morning.mail_at from persons p
      join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
      join unnest($8::text[], $9::timestamptz[]) as morning (time_zone, mail_at) on morning.time_zone = p.time_zone
      where p.org_id = $1 and m.is_active order by p.user_id on conflict do nothing`,
    [
      orgId,
      noticeId,
      kind,
      text,
      lines,
      link,
      raisedAt,
      mornings.map(({ timeZone }) => timeZone),
      mornings.map(({ mailAt }) => mailAt),
      metricText,
      metricLines,
    ],
  );
}

/** With what is on its way to browsers. */
export async function forgetSettled(tx: Tx, settled: readonly SettledNotice[]): Promise<void> {
  if (settled.length === 0) return;
  await tx.query(
    `delete from due_notices d using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as settled (org_id, user_id, notice_id)
      where (d.org_id, d.user_id, d.notice_id) = (settled.org_id, settled.user_id, settled.notice_id)`,
    [settled.map(({ orgId }) => orgId), settled.map(({ userId }) => userId), settled.map(({ noticeId }) => noticeId)],
  );
}

export type Receiver = {
  readonly name: string;
  readonly email: string;
  readonly emailConfirmedAt: Date | null;
  readonly timeZone: string;
  readonly units: string;
  readonly isActive: boolean;
  readonly organization: string;
  readonly switches: Switches;
};

export type WaitingNotice = DueNotice & { readonly isSayable: boolean };
export type Waiting = { readonly receiver: Receiver; readonly notices: readonly WaitingNotice[] };

/** What waits for the mail or the push of a member; undefined when they are gone. */
export function waitingFor(
  pool: Pool,
  { orgId, userId }: Person,
  channel: 'mail' | 'push',
): Promise<Waiting | undefined> {
  return withTenant(pool, orgId, async (tx) => {
    const [receiver] = (await tx.query<Receiver>(readReceiver, [orgId, userId])).rows;
    if (!receiver) return undefined;
    const { rows: notices } = await tx.query<WaitingNotice>(
      `select org_id, user_id, notice_id, kind, metric_text,
          case when $3 = 'metric' then coalesce(metric_text, text) else text end as text,
          case when $3 = 'metric' and metric_text is not null then metric_lines else lines end as lines,
          named_ids, link, raised_at, expires_at,
          ${isSayableSql} as is_sayable
        from due_notices d where org_id = $1 and user_id = $2 and ${channel}_at is not null`,
      [orgId, userId, receiver.units],
    );
    return { receiver, notices };
  });
}

/** Of a notice `d`: everybody whom its text names is still here and may be named to the receiver (D18). */
export const isSayableSql = `not exists (select from unnest(d.named_ids) as named (user_id)
  where not exists (select from persons n
    join memberships s on (s.org_id, s.user_id) = (n.org_id, n.user_id)
    where (n.org_id, n.user_id) = (d.org_id, named.user_id)
      and ${isNamedInNoticeSql('d.kind', { person: 'n', membership: 's' })}))`;

const readReceiver = `
  select p.name, p.email, p.email_confirmed_at, p.time_zone, p.units, o.name as organization,
    m.is_active, json_build_object('email', p.notify_by_email, 'push', p.notify_by_push,
      'teamUpdates', p.notify_of_team, 'weeklyReports', p.notify_weekly) as switches
  from persons p join organisations o on o.org_id = p.org_id
    join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
  where p.org_id = $1 and p.user_id = $2`;

const endingLease = 'with ended as (delete from notice_mail_leases where org_id = $1 and user_id = $2)';

/** Neither mailed nor dropped notices are mailed again; the lease ends. */
export async function noteMailed(
  pool: Pool,
  { orgId, userId }: Person,
  { told, dropped }: { readonly told: readonly string[]; readonly dropped: readonly string[] },
  at: Date,
): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query(
      `${endingLease} update due_notices set mail_at = null, mailed_at = case when notice_id = any($3::uuid[]) then $5::timestamptz end
        where org_id = $1 and user_id = $2 and (notice_id = any($3::uuid[]) or notice_id = any($4::uuid[]))`,
      [orgId, userId, told, dropped, at],
    ),
  );
}

export async function postponeMail(pool: Pool, { orgId, userId }: Person, from: Date, to: Date): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query(
      `${endingLease} update due_notices set mail_at = $4 where org_id = $1 and user_id = $2 and mail_at <= $3`,
      [orgId, userId, from, to],
    ),
  );
}
