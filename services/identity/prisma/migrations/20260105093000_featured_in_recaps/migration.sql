-- Whether a recap may show one's words and photos to the organisation: nobody has said so yet (D28).
alter table persons add column featured_in_recaps boolean not null default false;
