/** Forty strings that people type, paste or try: what becomes of each in a field that needs a text. */
type Case = { readonly name: string; readonly typed: string; readonly becomes: string; readonly isBlank: boolean };

const taken = (name: string, typed: string, becomes = typed): Case => ({ name, typed, becomes, isBlank: false });
const refused = (name: string, typed: string): Case => ({ name, typed, becomes: 'refused', isBlank: false });
/** Refused where a text is needed, and empty where it is not. */
const blank = (name: string, typed: string): Case => ({ name, typed, becomes: 'refused', isBlank: true });

export const textCorpus: readonly Case[] = [
  taken('plain words', 'Morning walk'),
  taken('one letter', 'x'),
  taken('an apostrophe', 'O’Neill'),
  taken('markup', '<b>Bold</b>'),
  taken('a digit', '7'),
  taken('German', 'Müßig in Gößnitz'),
  taken('a decomposed accent', 'Zoe\u0308', 'Zoë'),
  taken('Polish', 'Zażółć gęślą jaźń'),
  taken('Vietnamese', 'Nguyễn Thị Ánh'),
  taken('Greek', 'Οδυσσέας'),
  taken('Cyrillic', 'Пётр Ильич'),
  taken('Arabic', 'مشي سريع 5 كم'),
  taken('Persian with a non-joiner', 'می\u200cخواهم'),
  taken('Hebrew with points', 'שָׁלוֹם'),
  taken('Hebrew with a mark of direction', 'א\u200fב'),
  taken('Devanagari with a joiner', 'क्\u200dष नमस्ते'),
  taken('Tamil', 'நடைப்பயிற்சி'),
  taken('Thai', 'วิ่งตอนเช้า'),
  taken('Japanese', '朝の散歩が好き'),
  taken('a decomposed kana', 'か\u3099', 'が'),
  taken('Korean', '아침 산책'),
  taken('an emoji', '🏃'),
  taken('a family', '👨‍👩‍👧‍👦'),
  taken('a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'),
  taken('a heart with its variation', '❤\ufe0f'),
  taken('spaces around', '  walk \u00a0\u3000', 'walk'),
  blank('nothing', ''),
  blank('a space', ' '),
  blank('a no-break space', '\u00a0'),
  blank('Hangul filler', '\u3164'),
  blank('Hangul initial filler', '\u115f'),
  blank('an empty Braille cell', '\u2800\u2800'),
  blank('a lone variation selector', '\ufe0f'),
  blank('a lone mark', '\u0301'),
  blank('a zero width space', '\u200b\u2060\ufeff'),
  refused('an override', 'safe \u202egnp.exe'),
  refused('an isolate', 'a\u2067b'),
  refused('a line separator', 'a\u2028b'),
  refused('a control character', 'a\u0007b'),
  refused('half an emoji', 'a\ud83d'),
];
