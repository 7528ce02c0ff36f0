-- Whether a recap may show a member's words and photos: nobody has said so yet (D28).
alter table members add column featured_in_recaps boolean not null default false;
