-- What two texts have in common when people call them one: case, kinds of apostrophes and spaces, and characters that
-- are not seen do not count. `textKey` in libs/contracts/text-key.ts says the same. Of 400 characters at most, so that
-- an index takes it.
create function text_key(p_text text) returns text language sql immutable parallel safe strict
  return left(btrim(regexp_replace(translate(normalize(
    lower(upper(lower(regexp_replace(p_text,
      '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]',
      '', 'g') collate "pg_unicode_fast"))), nfc),
    U&'\0060\00b4\02b9\02bb\02bc\2018\2019\201b\2032\ff07\03c2', U&'''''''''''''''''''''\03c3'),
    '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')), 400);

-- What a name is searched and sorted by: its key without marks, so that Zoe finds Zoë, and Lukasz finds Łukasz.
create function search_key(p_text text) returns text language sql immutable parallel safe strict
  return left(normalize(translate(regexp_replace(normalize(text_key(p_text), nfd),
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]',
    '', 'g'), U&'\00f8\0142\0111\0127\0131', 'oldhi'), nfc), 200);

-- The nearest text that the rule of texts takes, '' where nothing of it is seen: what is stored from before the rule
-- becomes that. `mendedText` in libs/contracts/text.ts says the same.
create function mended_text(p_text text, p_has_lines boolean) returns text language sql immutable parallel safe strict
  cost 1000
  return (with lined (t) as (select regexp_replace(p_text,
      case when p_has_lines then '\r\n|[\r\u0085\u2028\u2029]' else '[\u0009\u000a\u000d\u0085\u2028\u2029]' end,
      case when p_has_lines then e'\n' else ' ' end, 'g')),
    bare (t) as (select normalize(regexp_replace(t,
      '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]', '', 'g'), nfc) from lined),
    tidy (t) as (select regexp_replace(t,
      '^[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+|[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+$',
      '', 'g') from bare)
    select case when t ~ '[^\u0009-\u000d\u0020\u00a0\u00ad\u0300-\u036f\u0483-\u0489\u0600-\u0605\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb]'
      then t else '' end from tidy);

-- Whether a text may be another one when mended: plain ASCII without spaces around it never is.
create function may_need_mending(p_text text) returns boolean language sql immutable parallel safe strict
  return p_text ~ '[^ -~]|^ | $';
