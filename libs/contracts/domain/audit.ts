/** The part before the dot is the kind, by which the log is filtered. */
export const auditActs = [
  ...(['member.appointed', 'member.dismissed', 'member.moved', 'member.deactivated', 'member.reactivated'] as const),
  ...(['team.formed', 'team.renamed', 'team.retired', 'team.reopened'] as const),
  ...(['invite.created', 'invite.revoked'] as const),
  ...(['company.set-up', 'company.branded', 'company.freezes-on', 'company.freezes-off'] as const),
  'company.time-zone',
  'company.closed',
  ...(['challenge.templates-saved', 'journey.started'] as const),
  ...(['comment.hidden', 'comment.shown', 'comment.reports-dismissed'] as const),
  ...(['ballot.opened', 'ballot.edited', 'ballot.closed'] as const),
  ...(['access.signed-in', 'access.password-reset', 'access.refused'] as const),
  ...(['access.address-changed', 'access.address-restored'] as const),
  ...(['data.export-requested', 'data.export-downloaded', 'data.audit-exported', 'data.account-erased'] as const),
  ...(['operator.admin-appointed', 'operator.organisation-closed'] as const),
] as const;
export type AuditAct = (typeof auditActs)[number];

export const auditKinds = [
  ...(['member', 'team', 'invite', 'company', 'challenge', 'journey', 'ballot', 'comment'] as const),
  ...(['access', 'data', 'operator'] as const),
] as const;
export type AuditKind = (typeof auditKinds)[number];
