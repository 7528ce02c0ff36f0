import type { Told } from '@caravan/contracts/domain/movement/disclosure';
import type { Analytics, RecapsEffect, ToldShare } from '@caravan/contracts/http/analytics';
import { stringify } from 'csv-stringify/browser/esm/sync';

type Cell = string | number | null;
const head = ['figure', 'from', 'of what', 'at least', 'at most', 'of'];

const ends = (told: Told | null): [Cell, Cell] => (told ? [told.atLeast, told.atMost] : [null, null]);
const exactly = (count: number | null): [Cell, Cell] => [count, count];
const shareRow = (what: string, told: ToldShare): Cell[] => [
  'percent who moved again',
  null,
  what,
  ...ends(told),
  told?.times ?? null,
];

/** All that the screen shows, a figure a row; empty where it would be about fewer than five people. */
export function csvOf({ logs, ...analytics }: Analytics, recaps: RecapsEffect | null): string {
  const rows: Cell[][] = [
    ...analytics.participation.map(({ weekStartsOn, members, moved }) => [
      'members who moved',
      weekStartsOn,
      'week',
      ...ends(moved),
      members,
    ]),
    ...logs.weeks.flatMap(({ weekStartsOn, days }) =>
      days.map((count, nth) => ['logs', weekStartsOn, `day ${nth + 1}`, ...exactly(count), null]),
    ),
    ...logs.activities.map(({ activity, logs: count }) => [
      'logs by activity',
      analytics.from,
      activity,
      ...exactly(count),
      logs.total,
    ]),
    ['logs by activity', analytics.from, 'Others', ...exactly(logs.others), logs.total],
    ...analytics.retention.flatMap(({ firstWeek, people, moved }) =>
      moved.map((told, nth) => ['newcomers who moved', firstWeek, `week ${nth + 1}`, ...ends(told), people]),
    ),
    ...analytics.teams.flatMap(({ names, members, participation, milesPerMemberAndWeek: miles }) => {
      const name = names.map((team) => team.name).join(' + ');
      return [
        ['percent of team weeks with a log', analytics.from, name, ...ends(participation), members],
        ['miles per member and week', analytics.from, name, ...exactly(miles), members],
      ];
    }),
    shareRow('completed a challenge', analytics.challenges.completed),
    shareRow('completed no challenge', analytics.challenges.others),
    ...(recaps ? [shareRow('read the recap', recaps.read), shareRow('did not read the recap', recaps.others)] : []),
  ];
  return stringify([head, ...rows], forSpreadsheets);
}

/** A spreadsheet must neither run a formula that somebody typed nor take UTF-8 for something else. */
const forSpreadsheets = { bom: true, escape_formulas: true, quote_record_delimiter: true, record_delimiter: 'windows' };
