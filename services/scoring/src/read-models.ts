import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/activity.events';
import { organisationFounded } from '@caravan/contracts/identity.events';
import { type ReadModel, rowsOnly } from '@caravan/messaging/read-model';
import { showCorrected, showLogged, showRemoved } from './bonus-challenges/completions.service.ts';
import { keepOrganisation } from './directory/directory.store.ts';
import { history } from './public-history.service.ts';
import { streamKinds } from './app.module.ts';

const creditMiles = 'scoring.credit-miles';
const knowMembers = 'scoring.know-members';

/** What consumers write here and can be made again. Miles, badges and journeys are decided once: they stand in the log. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'directory',
    tables: ['organisations', 'teams', 'members', 'credited_movements', 'bonus_completions'],
    groups: [creditMiles, knowMembers],
    instead: [
      rowsOnly(knowMembers, organisationFounded, ({ orgId, data }, { tx }) => keepOrganisation(tx, { orgId, ...data })),
      rowsOnly(creditMiles, movementLogged, showLogged),
      rowsOnly(creditMiles, movementCorrected, showCorrected),
      rowsOnly(creditMiles, movementRemoved, showRemoved),
    ],
    // The job that awards badges has cleared it since.
    own: [
      `update organisations n set badges_due_at = o.badges_due_at from public.organisations o
       where o.org_id = n.org_id and n.badges_due_at is distinct from o.badges_due_at`,
    ],
  },
];

const kept = 'made by this service as time passes; rewritten with the next log of the member or the organisation';

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  challenge_templates: 'what admins wrote',
  challenge_weeks: 'which weeks were opened, and when',
  weekly_challenges: 'what a week was opened with: templates change later',
  streak_starts: kept,
  board_generations: 'counts what boards in Redis stand on',
};

/** What an operator can make again, here and from here elsewhere. */
export const rebuildable = { kinds: streamKinds, readModels, history };
