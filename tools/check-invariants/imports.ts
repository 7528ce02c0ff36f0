import { type Figures, type Invariant } from './figures.ts';

const activity = (text: string): Figures => ({ service: 'activity', text });
/** What integrations lets count, in the revision that it told last. */
const counting: Figures = {
  service: 'integrations',
  text: `select concat_ws('/', org_id, log_id, revision, case state when 'counted' then duration_minutes * 10 else 0 end) id,
      1 sum
    from imported_workouts where log_id is not null`,
};
const known = 'exists (select from members m where m.org_id = l.org_id and m.user_id = l.user_id)';

/**
 * An imported workout counts once. What it earns in scoring follows: entries of a log add up to what activity says (I1).
 * Of members who were erased integrations keeps nothing. What somebody deleted by hand counts on neither side.
 */
export const importInvariants: readonly Invariant[] = [
  {
    name: 'I7 an imported log stands as integrations counts its workout now',
    truth: counting,
    claim:
      activity(`select concat_ws('/', l.org_id, l.log_id, latest.data -> 'import' ->> 'revision', l.centimiles) id, 1 sum
      from movement_logs l join (
        select distinct on (org_id, stream_id) org_id, stream_id, data from es.events
        where category = 'movement' order by org_id, stream_id, version desc
      ) latest on latest.org_id = l.org_id and latest.stream_id = 'movement-' || l.log_id
      where latest.data ? 'import' and ${known}`),
  },
  {
    name: 'I7 a workout that counts was imported once',
    truth: activity(`select concat_ws('/', org_id, data ->> 'logId') id, count(*) sum from es.events
      where type = 'MovementLogged' and data ? 'import' group by 1`),
    claim: {
      service: 'integrations',
      text: `select concat_ws('/', org_id, log_id) id, count(*) sum from imported_workouts
        where log_id is not null group by 1`,
    },
    isPart: true,
  },
];
