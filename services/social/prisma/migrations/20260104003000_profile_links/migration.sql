-- Whether a member's profile may be opened by colleagues (D18): where it may not, their name is nobody's link.
alter table members add column profile_visible boolean not null default true;
