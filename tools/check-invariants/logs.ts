import { type Figures, type Invariant, nothingOf, scoring } from './figures.ts';

const logs: Figures = {
  service: 'activity',
  text: `select concat_ws('/', org_id, log_id, centimiles) id, 1 sum from movement_logs`,
};
const milesOfLogs: Figures = {
  service: 'activity',
  text: `select org_id || '/' || log_id id, centimiles sum from movement_logs`,
};

/** A log stands once, as it was last told, wherever it is shown; its entries are what it earns. */
export const logInvariants: readonly Invariant[] = [
  {
    name: 'I1 every log stands as the event log last told it, and no removed one stands',
    truth: {
      service: 'activity',
      text: `select concat_ws('/', org_id, data ->> 'logId', data ->> 'centimiles') id, 1 sum from (
          select distinct on (org_id, stream_id) org_id, type, data from es.events
          where category = 'movement' order by org_id, stream_id, version desc) latest
        where type in ('MovementLogged', 'MovementCorrected')`,
    },
    claim: logs,
  },
  {
    name: 'I1 every log is logged once, and removed at most once',
    truth: nothingOf('activity'),
    claim: {
      service: 'activity',
      text: `select org_id || '/' || stream_id || ' ' || type id, count(*) - 1 sum from es.events
        where type in ('MovementLogged', 'MovementRemoved') group by org_id, stream_id, type having count(*) > 1`,
    },
  },
  {
    name: 'I1 the entries of a log add up to what it earns',
    truth: milesOfLogs,
    claim: scoring(
      `select org_id || '/' || log_id id, sum(centimiles) sum from ledger_entries where log_id is not null group by org_id, log_id`,
    ),
  },
  {
    name: 'I1 the minutes of a log’s entries add up to its minutes, or to none where it is not scored',
    truth: {
      service: 'activity',
      text: `select org_id || '/' || log_id id, duration_minutes sum from movement_logs where centimiles > 0`,
    },
    claim: scoring(
      `select org_id || '/' || log_id id, sum(minutes) sum from ledger_entries where log_id is not null group by org_id, log_id`,
    ),
  },
  {
    name: 'I1 a log that is there has one movement on its date, one that was taken back or is not scored has none',
    truth: {
      service: 'activity',
      text: `select concat_ws('/', org_id, log_id, logged_on) id, 1 sum from movement_logs where centimiles > 0`,
    },
    claim: scoring(
      `select concat_ws('/', org_id, log_id, credited_on) id, sum(movements) sum from ledger_entries
        where log_id is not null group by org_id, log_id, credited_on`,
    ),
  },
  {
    name: 'I1 every entry of the event log stands in the ledger once',
    truth: scoring(
      `select org_id || '/' || (data ->> 'entryId') id, (data ->> 'centimiles')::int sum from es.events where type = 'MilesCredited'`,
    ),
    claim: scoring(`select org_id || '/' || entry_id id, centimiles sum from ledger_entries`),
  },
  {
    name: 'I1 every log is in the feed once, as it is now',
    truth: logs,
    claim: { service: 'social', text: `select concat_ws('/', org_id, log_id, centimiles) id, 1 sum from posts` },
  },
  {
    name: 'I1 every log is among the recent movements once, as it is now',
    truth: logs,
    claim: scoring(`select concat_ws('/', org_id, log_id, centimiles) id, 1 sum from credited_movements`),
  },
  {
    name: 'I1 every log with miles is among the recent movements once, with the miles of its entries',
    // A ledger that no message feeds has none.
    truth: scoring(
      `select org_id || '/' || log_id id, sum(centimiles) sum from ledger_entries
        where log_id is not null and exists (select from credited_movements) group by org_id, log_id`,
    ),
    claim: scoring(`select org_id || '/' || log_id id, centimiles sum from credited_movements`),
  },
];
