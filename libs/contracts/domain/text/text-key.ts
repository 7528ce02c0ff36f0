// `text_key` and `search_key` in libs/event-store/migrations say the same in SQL; text-keys.int.spec.ts compares them.

const controls = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f';
const ignored = new RegExp(
  `[${controls}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]`,
  'g',
);
const spaces = /[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const apostrophes = /[\u0060\u00b4\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07]/g;

/**
 * Two texts with one key are one to people: in any case, with any apostrophe and space, with or without characters
 * that are not seen. Names are compared by it everywhere.
 */
export function textKey(text: string): string {
  const folded = text.replace(ignored, '').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
  return folded.replace(apostrophes, "'").replaceAll('ς', 'σ').replace(spaces, ' ').replace(/^ | $/g, '');
}

export function isSameText(one: string, other: string): boolean {
  return textKey(one) === textKey(other);
}
