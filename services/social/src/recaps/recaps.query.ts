import type { Caller } from '@caravan/auth/claims';
import type { Recap, RecapSummary } from '@caravan/contracts/http/recaps';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { localDateSchema } from '@caravan/contracts/events/fields';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { formerTeamName } from '@caravan/contracts/domain/unnamed';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import type { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { z } from 'zod';
import { photoOf, type PostPhoto, type Signing, withFace } from '../feed/index.ts';
import { engagementOf, noSuchRecap } from './engagement.query.ts';
import type { Story } from './recap.ts';
import { isFeaturableSql } from './week-figures.query.ts';

type Reader = Pick<Caller, 'orgId' | 'userId' | 'at'>;

const summaryColumns = `
  r.recap_id as id, r.week_starts_on as week_start_date, r.week_ends_on as week_end_date, r.centimiles,
  r.member_count, r.created_at`;

type SummaryRow = {
  readonly id: string;
  readonly weekStartDate: string;
  readonly weekEndDate: string;
  readonly centimiles: number;
  readonly memberCount: number;
  readonly createdAt: Date;
};
export type RecapRow = SummaryRow & { readonly story: Story };

type TeamRow = { readonly teamId: string; readonly name: string; readonly emoji: string };
type PersonRow = { readonly userId: string; readonly name: string; readonly avatar: string | null };

const listSql = `
  select ${summaryColumns}, e.user_id is not null as is_viewed, r.story #> '{teams,0}' as top_team
  from weekly_recaps r
  left join recap_engagement e on (e.org_id, e.recap_id, e.user_id) = (r.org_id, r.recap_id, $2)
  where r.org_id = $1 and r.week_starts_on < $3 order by r.week_starts_on desc limit $4`;

const weekKey = z.tuple([localDateSchema]);
const afterAll = '2200-01-01';

/** Newest first. Throws `Rejected` for a cursor that is not ours. */
export async function pageOfRecaps(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: Omit<Reader, 'at'>,
  { limit, cursor }: PageQuery,
): Promise<{ recaps: RecapSummary[]; nextCursor: Cursor | undefined }> {
  const { orgId, userId } = reader;
  const pages = cursors.of({ operation: 'listRecaps', reader }, weekKey);
  const [before] = pages.after(cursor) ?? [afterAll];
  type Row = SummaryRow & { isViewed: boolean; topTeam: Story['teams'][number] | null };
  return withTenant(pool, orgId, async (tx) => {
    const { rows } = await tx.query<Row>(listSql, [orgId, userId, before, limit + 1]);
    const page = pages.cut(rows, limit, ({ weekStartDate }) => [weekStartDate]);
    const teams = await teamsOf(
      tx,
      orgId,
      page.rows.flatMap(({ topTeam }) => topTeam?.teamId ?? []),
    );
    const recaps = page.rows.map(({ topTeam, isViewed, ...row }) => ({
      ...summaryOf(row),
      isViewed,
      topTeam: topTeam && { ...teams(topTeam.teamId), miles: milesOf(topTeam.centimiles) },
    }));
    return { recaps, nextCursor: page.nextCursor };
  });
}

/** Finds a recap by its id or by the Monday of its week. Throws `Rejected` (not-found) where there is none. */
export function readRecap(
  { pool, addresses }: { readonly pool: Pool; readonly addresses: PhotoAddresses },
  reader: Reader,
  name: string,
): Promise<Recap> {
  return withTenant(pool, reader.orgId, async (tx) => {
    const isWeek = localDateSchema.safeParse(name).success;
    const row = await recapRow(tx, reader.orgId, isWeek ? 'r.week_starts_on = $2' : 'r.recap_id = $2', name);
    const { weekStartDate: week } = row;
    const { orgId, at } = reader;
    const { story } = row;
    const signing = { addresses, orgId, at };
    const ids = [...story.teams, ...story.checkpoints].map(({ teamId }) => teamId);
    const [teams, people, featuredQuote, featuredPhoto, engaged, own, beside] = await Promise.all([
      teamsOf(tx, orgId, ids),
      improvedPeople(tx, orgId, story),
      quoteOf(tx, story.quotedLogId, signing),
      pictureOf(tx, story.picturedLogId, signing),
      engagementOf(tx, reader, row.id),
      ownMiles(tx, reader, week),
      weeksBeside(tx, orgId, week),
    ]);
    return {
      ...summaryOf(row),
      ...storyOf(story, teams, people, signing),
      featuredQuote,
      ...featuredPhoto,
      ...engaged,
      own,
      ...beside,
    };
  });
}

/** Throws `Rejected` (not-found) where there is none. `where` is SQL with $2. */
export async function recapRow(tx: Tx, orgId: string, where: string, value: string): Promise<RecapRow> {
  const { rows } = await tx.query<RecapRow>(
    `select ${summaryColumns}, r.story from weekly_recaps r where r.org_id = $1 and ${where}`,
    [orgId, value],
  );
  if (!rows[0]) throw noSuchRecap();
  return rows[0];
}

function summaryOf({ centimiles, createdAt, ...row }: SummaryRow) {
  const { id, weekStartDate, weekEndDate, memberCount } = row;
  const summary = { id, weekStartDate, weekEndDate, memberCount };
  return { ...summary, totalMiles: milesOf(centimiles), createdAt: createdAt.toISOString() };
}

type Teams = (teamId: string) => TeamRow;

/** As they are called now. */
export async function teamsOf(tx: Tx, orgId: string, ids: readonly string[]): Promise<Teams> {
  const { rows } = await tx.query<TeamRow>(
    'select team_id, name, emoji from teams where org_id = $1 and team_id = any($2::uuid[])',
    [orgId, [...new Set(ids)]],
  );
  const byId = new Map(rows.map((row) => [row.teamId, row]));
  return (teamId) => byId.get(teamId) ?? { teamId, name: formerTeamName, emoji: '' };
}

function storyOf(story: Story, teams: Teams, people: ReadonlyMap<string, PersonRow>, signing: Signing) {
  return {
    previousMiles: milesOf(story.previousCentimiles),
    topTeams: story.teams.map((team) => ({ ...teams(team.teamId), ...milesIn(team) })),
    mostImproved: story.improved.flatMap((one) => {
      const person = people.get(one.userId);
      return person ? [{ user: userOf(person, signing), ...milesIn(one) }] : [];
    }),
    streaks: story.streaks,
    checkpoints: story.checkpoints.map(({ teamId, ...checkpoint }) => {
      const { name, emoji } = teams(teamId);
      return { teamName: name, teamEmoji: emoji, ...checkpoint };
    }),
    challenges: { weekly: [...story.challenges], bonusCompletions: story.bonusCompletions },
    badgesEarned: story.badgesEarned,
  };
}

const milesIn = ({ centimiles, previousCentimiles }: { centimiles: number; previousCentimiles: number }) => ({
  miles: milesOf(centimiles),
  previousMiles: milesOf(previousCentimiles),
});
const userOf = ({ name, avatar, userId }: PersonRow, signing: Signing) =>
  withFace({ name, avatar, profileId: userId }, signing);

/** Whoever has hidden figures or profile since then, or has left, is in no story any more (D18). */
async function improvedPeople(tx: Tx, orgId: string, { improved }: Story): Promise<Map<string, PersonRow>> {
  const { rows } = await tx.query<PersonRow>(
    `select user_id, name, photo_url as avatar from members
     where org_id = $1 and user_id = any($2::uuid[]) and stats_visible and profile_visible and is_active and not is_erased`,
    [orgId, improved.map(({ userId }) => userId)],
  );
  return new Map(rows.map((row) => [row.userId, row]));
}

/** The caption as it is now, while its author wants it here and lets everybody read it; gone with its post. */
async function quoteOf(tx: Tx, logId: string | null, signing: Signing): Promise<Recap['featuredQuote']> {
  const { rows } = await tx.query<PersonRow & { text: string; logId: string }>(
    `select p.caption as text, p.log_id, m.user_id, m.name, m.photo_url as avatar
     from posts p join members m on m.org_id = p.org_id and m.user_id = p.user_id
     where p.org_id = $1 and p.log_id = $2 and p.caption is not null and ${isFeaturableSql}`,
    [signing.orgId, logId],
  );
  const [quote] = rows;
  return quote ? { text: quote.text, logId: quote.logId, user: userOf(quote, signing) } : null;
}

/** The photo as it is now, under the same conditions. */
async function pictureOf(
  tx: Tx,
  logId: string | null,
  signing: Signing,
): Promise<Pick<Recap, 'featuredPhotoUrl' | 'featuredPhoto'>> {
  const { rows } = await tx.query<PersonRow & Omit<PostPhoto, 'shownTo'> & { logId: string }>(
    `select p.photo_path, p.photo, p.log_id, m.user_id, m.name,
       m.photo_url as avatar
     from posts p join members m on m.org_id = p.org_id and m.user_id = p.user_id
     where p.org_id = $1 and p.log_id = $2 and p.photo_path is not null and ${isFeaturableSql}`,
    [signing.orgId, logId],
  );
  const [found] = rows;
  if (!found) return { featuredPhotoUrl: null, featuredPhoto: null };
  const { photoUrl, photo } = photoOf({ ...found, shownTo: null }, signing);
  return { featuredPhotoUrl: photoUrl, featuredPhoto: { photo, logId: found.logId, user: userOf(found, signing) } };
}

/** As they are by now, corrections included: it is nobody else's. */
export async function ownMiles(tx: Tx, { orgId, userId }: Omit<Reader, 'at'>, week: string): Promise<Recap['own']> {
  const { rows } = await tx.query<{ startsOn: string; centimiles: number }>(
    `select week_starts_on as starts_on, sum(centimiles)::float8 as centimiles from recap_member_weeks
     where org_id = $1 and user_id = $2 and week_starts_on in ($3, $4) group by 1`,
    [orgId, userId, week, addDays(week, -7)],
  );
  const milesOn = (monday: string) => milesOf(rows.find(({ startsOn }) => startsOn === monday)?.centimiles ?? 0);
  return { miles: milesOn(week), previousMiles: milesOn(addDays(week, -7)) };
}

async function weeksBeside(tx: Tx, orgId: string, week: string) {
  const { rows } = await tx.query<{ previousWeek: string | null; nextWeek: string | null }>(
    `select max(week_starts_on) filter (where week_starts_on < $2) as previous_week,
       min(week_starts_on) filter (where week_starts_on > $2) as next_week
     from weekly_recaps where org_id = $1`,
    [orgId, week],
  );
  return rows[0] ?? { previousWeek: null, nextWeek: null };
}
