import type { Company } from '@caravan/contracts/http/organisations';
import { withTimeZone, type ZoneChange } from '@caravan/contracts/domain/time/organisation-zone';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { ChangedMeanwhile, mergeForm, withOwnChanges } from '../../lib/latest.ts';

export type Range = NonNullable<Company['employeeRange']>;
export type Trait = Company['brandTraits'][number];

export const ranges: readonly Range[] = ['1-25', '26-50', '51-100', '101-250', '251+'];
export const traits: readonly { id: Trait; name: MessageDescriptor }[] = [
  { id: 'bold', name: msg`Bold` },
  { id: 'playful', name: msg`Playful` },
  { id: 'purpose-driven', name: msg`Purpose-driven` },
  { id: 'innovative', name: msg`Innovative` },
  { id: 'collaborative', name: msg`Collaborative` },
  { id: 'professional', name: msg`Professional` },
];
const mostTraits = 3;

/** The six pairs (9); the first colour of a pair is the primary one (D39). */
export const colourPairs: readonly { name: MessageDescriptor; colours: readonly [string, string] }[] = [
  { name: msg`Sunrise`, colours: ['#ea580c', '#facc15'] },
  { name: msg`Ocean`, colours: ['#0369a1', '#22d3ee'] },
  { name: msg`Forest`, colours: ['#15803d', '#a3e635'] },
  { name: msg`Dusk`, colours: ['#6d28d9', '#f472b6'] },
  { name: msg`Rose`, colours: ['#be123c', '#fda4af'] },
  { name: msg`Slate`, colours: ['#334155', '#38bdf8'] },
];

/** What the wizard holds while it is filled in. */
export type Draft = {
  companyName: string;
  employeeRange: Range | '';
  brandTraits: readonly Trait[];
  industry: string;
  /** Empty where the server tells none. */
  timeZone: string;
  welcomeMessage: string;
  logoUrl: string | null;
  brandColors: readonly [string, string] | null;
};
export type CompleteDraft = Draft & { employeeRange: Range; brandColors: readonly [string, string] };
export type Refusals = { [Field in keyof Draft]?: string };

export function draftOf(company: Company): Draft {
  const { companyName, employeeRange, brandTraits, industry, welcomeMessage, logoUrl } = company;
  const [first, second] = company.brandColors;
  const pair = first !== undefined && second !== undefined ? ([first, second] as const) : null;
  return {
    companyName,
    employeeRange: employeeRange ?? '',
    brandTraits,
    industry,
    timeZone: company.comingTimeZone?.timeZone ?? company.timeZone ?? '',
    welcomeMessage,
    logoUrl,
    brandColors: pair,
  };
}

/** The change that is to come once `chosen` is saved: it may be the one that was saved before. */
export function comingZone({ timeZone, comingTimeZone }: Company, chosen: string, now: Date): ZoneChange | null {
  if (timeZone === undefined || chosen === '') return null;
  const zones = { first: timeZone, changes: comingTimeZone ? [comingTimeZone] : [] };
  return withTimeZone(zones, chosen, now).changes.at(-1) ?? null;
}

/** Off when it is chosen, else on; a fourth drops the oldest, the three newest stay (D44). */
export const withTrait = (chosen: readonly Trait[], trait: Trait): Trait[] =>
  chosen.includes(trait) ? chosen.filter((other) => other !== trait) : [...chosen, trait].slice(-mostTraits);

export const isPair = (chosen: Draft['brandColors'], [first, second]: readonly [string, string]): boolean =>
  chosen?.[0].toLowerCase() === first && chosen[1].toLowerCase() === second;

export const isComplete = (draft: Draft): draft is CompleteDraft =>
  draft.employeeRange !== '' && draft.brandColors !== null;

/** The fields that cannot be sent, in the order of the form, with why (5.15). */
export function refusalsOf(draft: Draft): [keyof Draft, MessageDescriptor][] {
  const refusals: [keyof Draft, MessageDescriptor][] = [];
  if (draft.companyName.trim() === '') refusals.push(['companyName', msg`Company name is required`]);
  if (draft.employeeRange === '') refusals.push(['employeeRange', msg`Select the number of employees`]);
  if (draft.brandTraits.length === 0) refusals.push(['brandTraits', msg`Select at least one brand trait`]);
  if (draft.brandColors === null) refusals.push(['brandColors', msg`Select exactly 2 brand colors`]);
  return refusals;
}

/** The body of the request: time zone, logo and welcome only where they changed, empty where they were taken away. */
export function requestOf(draft: CompleteDraft, before: Company) {
  const [first, second] = draft.brandColors;
  return {
    companyName: draft.companyName.trim(),
    employeeRange: draft.employeeRange,
    brandTraits: [...draft.brandTraits],
    industry: draft.industry.trim(),
    brandColors: [first, second] as [string, string],
    ...(draft.timeZone !== draftOf(before).timeZone && { timeZone: draft.timeZone }),
    ...(draft.welcomeMessage.trim() !== before.welcomeMessage && { welcomeMessage: draft.welcomeMessage.trim() }),
    ...(draft.logoUrl !== before.logoUrl && { logoUrl: draft.logoUrl ?? '' }),
  };
}

/** Somebody else has changed fields of the form to something else meanwhile. */
export class CompanyChanged extends Error {
  override readonly name = 'CompanyChanged';
  readonly company: Company;
  readonly draft: Draft;
  readonly fields: readonly (keyof Draft)[];

  /** @param draft the form on top of what is there now, its own fields kept */
  constructor(company: Company, draft: Draft, fields: readonly (keyof Draft)[]) {
    super('Changed meanwhile');
    this.company = company;
    this.draft = draft;
    this.fields = fields;
  }
}

/**
 * The form on top of the company as it is now. Throws `CompanyChanged` where both have changed the same.
 * @param unanswered earlier states of the form whose save ended without an answer
 */
export function onLatest(
  before: Company,
  draft: CompleteDraft,
  now: Company,
  unanswered: readonly Draft[] = [],
): CompleteDraft {
  const own = draftOf(before);
  const there = draftOf(now);
  try {
    return mergeForm<Draft>(own, draft, there, unanswered) as CompleteDraft;
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    throw new CompanyChanged(
      now,
      withOwnChanges<Draft>(own, draft, there, unanswered),
      error.fields as (keyof Draft)[],
    );
  }
}

/** A value of the form, for people. */
export const wordsOf = (value: Draft[keyof Draft]): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');
