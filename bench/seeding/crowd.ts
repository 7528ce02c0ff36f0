import type { Place } from './place.ts';

/** Each log once in every service that knows of it. */
export type Crowd = {
  readonly place: Place;
  /** The instant before which everything happened. */
  readonly at: Date;
  readonly logs: number;
  /** members: each log has a member of its own. history: all of them are the founder's. */
  readonly of: 'members' | 'history';
};

const kinds = { member: 1, log: 2 } as const;
/** As far back as anybody's history is looked at. */
const longestDays = 730;

/** The same in every service, and in order of time (UUIDv7). */
function idSql(kind: keyof typeof kinds, { place, of }: Crowd): string {
  const mark = (kinds[kind] + (of === 'history' ? 2 : 0)).toString(16);
  const number = (place.number % 0x1000).toString(16).padStart(3, '0');
  return `(lpad(to_hex(1767225600000 + n), 12, '0') || '7${number}8${mark}00' || lpad(to_hex(n), 12, '0'))::uuid`;
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const uuid = (id: string) => `${quote(id)}::uuid`;

/**
 * n, org_id, user_id, team_id, log_id, minutes, centimiles, started_at, logged_at, logged_on, week_starts_on.
 * Members move once, over eight weeks; a history is one unbroken streak up to today.
 */
export function logsSql(crowd: Crowd): string {
  const { place, at, logs, of } = crowd;
  const { orgId, timeZone, teamIds, founder } = place;
  const [first = '', second = first] = teamIds;
  const days = Math.min(logs, longestDays);
  const shape =
    of === 'members'
      ? {
          user: idSql('member', crowd),
          team: `case n % 2 when 0 then ${uuid(first)} else ${uuid(second)} end`,
          // Days, hours and miles do not follow the order of joining.
          ago: `make_interval(days => (n * 31 % 56)::int, mins => (n * 17 % 600)::int)`,
          minutes: `10 + (n * 7919 % 90)::int`,
        }
      : {
          user: uuid(founder.userId),
          team: uuid(founder.teamId),
          ago: `make_interval(days => (n % ${days})::int, secs => (n / ${days})::int)`,
          minutes: '10',
        };
  const zone = quote(timeZone);
  return `
    select ${uuid(orgId)} as org_id, l.*, l.minutes * 10 as centimiles,
      l.started_at + make_interval(mins => l.minutes) as logged_at, (l.started_at at time zone ${zone})::date as logged_on,
      date_trunc('week', l.started_at at time zone ${zone})::date as week_starts_on
    from (
      select n, ${shape.user} as user_id, ${shape.team} as team_id, ${idSql('log', crowd)} as log_id,
        ${shape.minutes} as minutes, ${quote(at.toISOString())}::timestamptz - interval '2 hours' - ${shape.ago} as started_at
      from generate_series(1, ${logs}::bigint) n
    ) l`;
}

export const activitySql = `(array['Walking', 'Running', 'Biking', 'Swimming', 'Yoga'])[1 + n % 5]`;

export const instantSql = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** `select` answers stream, key, type, data and instant, in the order of the log. */
export const appendSql = (category: string, select: string): string => `
  insert into es.events (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta,
    actor_id, recorded_at)
  select org_id, '${category}-' || stream, 1, '${category}', key, uuidv7(), type, 1, data, '{}', actor_id, recorded_at
  from (${select}) e`;
