import type { ReadModel } from '@caravan/messaging/read-model';
import { history } from './public-history.service.ts';
import { streamKinds } from './app.module.ts';

const members = 'select from memberships m where m.org_id = s.org_id and m.user_id = s.user_id';

/** What consumers write here and can be made again. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'scores',
    tables: ['member_scores', 'member_badges'],
    groups: ['identity.keep-scores'],
    // Who joins begins with nothing, and who is erased leaves nothing.
    own: [
      `insert into member_scores (org_id, user_id, total_centimiles, position)
       select org_id, user_id, 0, 0 from memberships on conflict do nothing`,
      `delete from member_scores s where not exists (${members})`,
      `delete from member_badges s where not exists (${members})`,
    ],
  },
];

const account = 'accounts and what people do with them: this is where they are kept';

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  organisations: 'names, brand and settings of organisations, which the log never holds',
  teams: 'names of teams, which the log never holds',
  persons: account,
  credentials: account,
  sessions: account,
  refresh_tokens: account,
  invites: account,
  signing_keys: account,
  password_resets: account,
  follows: account,
  exports: account,
  mails: account,
  reset_requests: account,
  discarded_objects: account,
  erased_sessions: account,
  email_confirmations: account,
  email_undos: account,
  'audit.entries':
    'the audit log itself; acts of other services are entered once, like its own, and nothing takes them out',
};

/** What an operator can make again, here and from here elsewhere. */
export const rebuildable = { kinds: streamKinds, readModels, history };
