import type { Projection, Recorded } from '@caravan/event-store/projection';
import type { LedgerEvent } from './ledger.ts';

type Credited = Recorded<Extract<LedgerEvent, { type: 'MilesCredited' }>>;

/** The entries a member can list, and the sums of them by member and week. Teams' sums follow through fresh_credits. */
export const ledgerProjection: Projection<LedgerEvent> = {
  name: 'miles-ledger',
  revision: 1,
  tables: ['ledger_entries', 'member_totals', 'member_weeks', 'fresh_credits', 'team_totals', 'team_weeks'],
  on: { MilesCredited: (event) => [entry(event), freshCredit(event), memberTotal(event), memberWeek(event)] },
};

const entry = ({ orgId, data }: Credited) => ({
  text: `insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on,
      week_starts_on, credited_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  values: [
    orgId,
    data.entryId,
    data.kind,
    data.logId,
    data.userId,
    data.teamId,
    data.centimiles,
    data.creditedOn,
    data.weekStartsOn,
    data.creditedAt,
  ],
});

const freshCredit = ({ orgId, data }: Credited) => ({
  text: `insert into fresh_credits (org_id, entry_id, user_id, team_id, week_starts_on, centimiles, credited_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  values: [orgId, data.entryId, data.userId, data.teamId, data.weekStartsOn, data.centimiles, data.creditedAt],
});

const memberTotal = ({ orgId, data }: Credited) => ({
  text: `insert into member_totals as t (org_id, user_id, centimiles, reached_at, version)
    values ($1, $2, $3, $4, 1)
    on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
      reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + 1`,
  values: [orgId, data.userId, data.centimiles, data.creditedAt],
});

const memberWeek = ({ orgId, data }: Credited) => ({
  text: `insert into member_weeks as w (org_id, user_id, week_starts_on, centimiles)
    values ($1, $2, $3, $4)
    on conflict (org_id, user_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles`,
  values: [orgId, data.userId, data.weekStartsOn, data.centimiles],
});
