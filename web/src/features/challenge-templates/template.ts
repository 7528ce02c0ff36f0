import { mergeForm } from '../../lib/latest.ts';
import type { ListChallengeTemplatesResponse } from '../../lib/api/generated/types.gen.ts';

type Kept = ListChallengeTemplatesResponse[number];
/** One of the list that is sent; the server names it once it is kept. */
export type Template = Omit<Kept, 'id' | 'isActive'> & Partial<Pick<Kept, 'id' | 'isActive'>>;

/** What the form holds: figures as they are typed. */
export type Fields = {
  name: string;
  description: string;
  targetValue: string;
  targetUnit: Template['targetUnit'];
  bonusMiles: string;
  challengeType: Template['challengeType'];
};

export const emptyFields: Fields = {
  name: '',
  description: '',
  targetValue: '',
  targetUnit: 'miles',
  bonusMiles: '',
  challengeType: 'individual',
};

export const fieldsOf = ({
  name,
  description,
  targetValue,
  targetUnit,
  bonusMiles,
  challengeType,
}: Template): Fields => ({
  name,
  description,
  targetValue: String(targetValue),
  targetUnit,
  bonusMiles: String(bonusMiles),
  challengeType,
});

/** A typed figure; with a comma where one writes so. What is no figure goes to the server as null, which refuses it. */
const figureOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')));

/** The list with one template written anew, or with another at its end. @param index of the one; null: another */
export function listWith(templates: readonly Template[], index: number | null, fields: Fields): Template[] {
  const before = index === null ? undefined : templates[index];
  const written: Template = {
    ...(before ?? { isActive: true }),
    ...fields,
    name: fields.name.trim(),
    description: fields.description.trim(),
    targetValue: figureOf(fields.targetValue),
    bonusMiles: figureOf(fields.bonusMiles),
  };
  return before ? templates.map((template, at) => (at === index ? written : template)) : [...templates, written];
}

/**
 * What one has changed in the list, on top of the list as it is now. Throws `ChangedMeanwhile` where somebody else has
 * changed the same template.
 * @param before the list as it was shown
 * @param unanswered lists whose save ended without an answer: a new template of them may be in the list already
 */
export function onLatest(
  before: readonly Template[],
  wanted: readonly Template[],
  now: readonly Kept[],
  unanswered: readonly (readonly Template[])[] = [],
): Template[] {
  const shown = new Map(before.map((template) => [template.id, template]));
  const own = new Map(wanted.map((template) => [template.id, template]));
  const sent = unanswered.flat();
  const added = wanted.filter(({ id }) => id === undefined);
  const merged = now.map((template): Template => {
    const was = shown.get(template.id);
    const mine = own.get(template.id);
    const earlier = sent.filter(({ id }) => id === template.id);
    if (was && mine) return mergeForm<Template>(was, mine, template, earlier);
    const isOwn = !was && sent.some(({ id, ...fields }) => id === undefined && hasFields(template, fields));
    const latest = isOwn ? added.shift() : undefined;
    return latest ? { ...latest, id: template.id } : template;
  });
  return [...merged, ...added];
}

const hasFields = (template: Kept, fields: Omit<Template, 'id'>): boolean =>
  (Object.keys(fields) as (keyof typeof fields)[]).every((name) => template[name] === fields[name]);

/** What the server says of the fields of the template at `index`, and what it says of the list. */
export function refusalsAt(
  index: number,
  refusals: readonly { path: string; message: string }[],
): { fields: Partial<Record<keyof Fields, string>>; rest: string[] } {
  const prefix = new RegExp(`^\\[?${index}\\]?[./]`);
  const known = refusals.map(({ path, message }) => ({ field: path.replace(/^\//, '').replace(prefix, ''), message }));
  const fields = Object.fromEntries(
    known.filter(({ field }) => field in emptyFields).map(({ field, message }) => [field, message]),
  );
  return { fields, rest: known.filter(({ field }) => !(field in emptyFields)).map(({ message }) => message) };
}
