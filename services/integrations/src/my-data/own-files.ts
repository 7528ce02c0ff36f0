/** What integrations holds about a member, as SQL by name of the file; $1 is the organisation, $2 the member. */
export const ownFiles = {
  'connected-accounts': `
    select provider, provider_user_id as "idAtProvider", connected_at as "connectedAt", last_synced_at as "lastSyncedAt"
    from provider_accounts where org_id = $1 and user_id = $2 order by provider`,
} as const;
