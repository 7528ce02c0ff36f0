/** Forty strings that people type, paste or try: what becomes of each in a field that needs a text. */
type Case = { readonly name: string; readonly typed: string; readonly becomes: string; readonly isBlank: boolean };

const takenCase = (name: string, typed: string, becomes = typed): Case => ({ name, typed, becomes, isBlank: false });
const refusedCase = (name: string, typed: string): Case => ({ name, typed, becomes: 'refused', isBlank: false });
/** Refused where a text is needed, and empty where it is not. */
const blank = (name: string, typed: string): Case => ({ name, typed, becomes: 'refused', isBlank: true });

export const textCorpus: readonly Case[] = [
  takenCase('plain words', 'Morning walk'),
  takenCase('one letter', 'x'),
  takenCase('an apostrophe', 'O’Neill'),
  takenCase('markup', '<b>Bold</b>'),
  takenCase('a digit', '7'),
  takenCase('German', 'Müßig in Gößnitz'),
  takenCase('a decomposed accent', 'Zoe\u0308', 'Zoë'),
  takenCase('Polish', 'Zażółć gęślą jaźń'),
  takenCase('Vietnamese', 'Nguyễn Thị Ánh'),
  takenCase('Greek', 'Οδυσσέας'),
  takenCase('Cyrillic', 'Пётр Ильич'),
  takenCase('Arabic', 'مشي سريع 5 كم'),
  takenCase('Persian with a non-joiner', 'می\u200cخواهم'),
  takenCase('Hebrew with points', 'שָׁלוֹם'),
  takenCase('Hebrew with a mark of direction', 'א\u200fב'),
  takenCase('Devanagari with a joiner', 'क्\u200dष नमस्ते'),
  takenCase('Tamil', 'நடைப்பயிற்சி'),
  takenCase('Thai', 'วิ่งตอนเช้า'),
  takenCase('Japanese', '朝の散歩が好き'),
  takenCase('a decomposed kana', 'か\u3099', 'が'),
  takenCase('Korean', '아침 산책'),
  takenCase('an emoji', '🏃'),
  takenCase('a family', '👨‍👩‍👧‍👦'),
  takenCase('a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'),
  takenCase('a heart with its variation', '❤\ufe0f'),
  takenCase('spaces around', '  walk \u00a0\u3000', 'walk'),
  blank('nothing', ''),
  blank('a space', ' '),
  blank('a no-break space', '\u00a0'),
  blank('Hangul filler', '\u3164'),
  blank('Hangul initial filler', '\u115f'),
  blank('an empty Braille cell', '\u2800\u2800'),
  blank('a lone variation selector', '\ufe0f'),
  blank('a lone mark', '\u0301'),
  blank('a zero width space', '\u200b\u2060\ufeff'),
  refusedCase('an override', 'safe \u202egnp.exe'),
  refusedCase('an isolate', 'a\u2067b'),
  refusedCase('a line separator', 'a\u2028b'),
  refusedCase('a control character', 'a\u0007b'),
  refusedCase('half an emoji', 'a\ud83d'),
];
