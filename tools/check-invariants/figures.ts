import type { ServiceName } from '@caravan/contracts/events/topics';

/** Answers with `id` and `sum` over all organisations. */
export type Figures = { readonly service: ServiceName; readonly text: string };
/** A missing figure counts as 0. */
export type Invariant = {
  readonly name: string;
  readonly truth: Figures;
  readonly claim: Figures;
  /** What the truth has beside the claim is no fault. */
  readonly isPart?: true;
};

export const of = (service: ServiceName, text: string): Figures => ({ service, text });
export const scoring = (text: string): Figures => of('scoring', text);
export const nothingOf = (service: ServiceName): Figures => of(service, 'select null::text id, 0 sum where false');

/** Credits that are not in the sums of teams yet. */
export const waitingCredits = `(
  select s.org_id, c.* from pending_team_credit_sets s,
    unnest(user_ids, team_ids, week_starts_on, credited_on, centimiles) as c (user_id, team_id, week_starts_on, credited_on,
      centimiles)) waiting`;
