-- Movements that are not scored are shown and count for nothing: badges leap over them (D21).
drop index credited_movements_of_member;
create index credited_movements_of_member on credited_movements (org_id, user_id, activity_key) where centimiles > 0;

-- Who has movements that nobody else is shown sees more than what is composed for all (D21).
create index credited_movements_of_owner on credited_movements (org_id, user_id, ended_at) where audience = 'owner';
