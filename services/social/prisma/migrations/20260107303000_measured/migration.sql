-- What a platform measured of a member's body: others are shown it by the member's own consents only (D18).
alter table posts add column heart_rate integer;
alter table posts add column calories integer;
alter table members add column share_heart_rate boolean not null default false;
alter table members add column share_calories boolean not null default false;

-- Who has posts that nobody else is shown sees more than what is composed for all (D21).
create index posts_of_owner on posts (org_id, user_id, created_at) where audience = 'owner';
