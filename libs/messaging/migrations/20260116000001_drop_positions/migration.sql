drop function msg.applied_at(text[], text[], text[]);
drop function msg.move_on(text, text[], integer[], bigint[], bigint[]);
