import type { AuditAct, AuditKind } from '@caravan/contracts/domain/audit';
import type { AuditEntry } from '@caravan/contracts/http/audit';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';

/** What kinds are called in the filter. */
export function useKindNames(): Record<AuditKind, string> {
  const { t } = useLingui();
  return {
    member: t`Members`,
    team: t`Teams`,
    invite: t`Invites`,
    company: t`Company`,
    challenge: t`Challenges`,
    journey: t`Journey`,
    ballot: t`Ballots`,
    comment: t`Comments`,
    access: t`Access`,
    data: t`Data`,
    operator: t`Operator`,
  };
}

function useAccountWords() {
  const { t } = useLingui();
  return (whom: string, count: number) => ({
    'access.signed-in': t`signed in`,
    'access.password-reset': t`set a new password by a mailed link`,
    'access.address-changed': t`changed the own e-mail address`,
    'access.address-restored': t`took the old e-mail address back`,
    'access.refused': t`was refused ${whom}`,
    'data.export-requested': t`asked for an export of the own data`,
    'data.export-downloaded': t`downloaded the own data`,
    'data.audit-exported': entriesExported(count),
    'data.account-erased': t`erased the own account`,
    'operator.admin-appointed': t`made ${whom} an admin`,
    'operator.organisation-closed': t`closed the organization`,
  });
}

/** What somebody did, as it follows their name. */
export function useActWords(): (entry: AuditEntry) => string {
  const { t } = useLingui();
  const accountWords = useAccountWords();
  return ({ act, subject, from, to, count }) => {
    const whom = subject ?? t`something`;
    const source = from ?? t`a former team`;
    const target = to ?? t`a former team`;
    const words = {
      'member.appointed': t`made ${whom} an admin`,
      'member.dismissed': t`made ${whom} a member again`,
      'member.moved': t`moved ${whom} from ${source} to ${target}`,
      'member.deactivated': t`deactivated ${whom}`,
      'member.reactivated': t`reactivated ${whom}`,
      'team.formed': t`formed the team ${whom}`,
      'team.renamed': t`renamed a team, now ${whom}`,
      'team.retired': t`retired the team ${whom}`,
      'team.reopened': t`reopened the team ${whom}`,
      'invite.created': t`made the invite ${whom}`,
      'invite.revoked': t`revoked the invite ${whom}`,
      'company.set-up': t`changed the company set-up`,
      'company.branded': t`changed logo, colors or welcome`,
      'company.freezes-on': t`switched streak freezes on`,
      'company.freezes-off': t`switched streak freezes off`,
      'company.time-zone': t`changed the time zone to ${whom}`,
      'company.closed': t`closed the organization`,
      'challenge.templates-saved': templatesSaved(count ?? 0),
      'journey.started': t`set out on ${whom}`,
      'comment.hidden': t`hid a comment`,
      'comment.shown': t`showed a hidden comment again`,
      'comment.reports-dismissed': t`dismissed reports of a comment`,
      'ballot.opened': t`opened a ballot for ${whom}`,
      'ballot.edited': t`changed the ballot of ${whom}`,
      'ballot.closed': t`closed the ballot of ${whom}`,
      ...accountWords(whom, count ?? 0),
    } satisfies Record<AuditAct, string>;
    // A newer server may tell what this page has no words for.
    return (words as Partial<Record<string, string>>)[act] ?? act;
  };
}

const templatesSaved = (count: number) =>
  plural(count, { one: 'saved # challenge template', other: 'saved # challenge templates' });

const entriesExported = (count: number) =>
  plural(count, { one: 'exported # entry of this log', other: 'exported # entries of this log' });
