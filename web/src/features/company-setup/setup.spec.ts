// @vitest-environment node
import {
  brandTraits,
  companySetupRequestSchema,
  employeeRanges,
  type Company,
} from '@caravan/contracts/http/organisations';
import { expect, test } from 'vitest';
import {
  colourPairs,
  draftOf,
  isPair,
  ranges,
  refusalsOf,
  requestOf,
  traits,
  withTrait,
  type CompleteDraft,
  type Trait,
} from './setup.ts';

const company: Company = {
  companyName: 'Harbour Inc',
  employeeRange: '26-50',
  brandTraits: ['bold'],
  industry: 'Shipping',
  logoUrl: '/api/logos/1.webp',
  brandColors: ['#ea580c', '#facc15'],
  welcomeMessage: 'All aboard!',
  setUpAt: null,
};

const draft = draftOf(company) as CompleteDraft;

test('[5.15 9.13 9.15] ranges and traits are those of the contract', () => {
  expect(ranges).toEqual(employeeRanges);
  expect(employeeRanges).toEqual(['1-25', '26-50', '51-100', '101-250', '251+']);
  expect(traits.map(({ id }) => id)).toEqual(brandTraits);
});

test('[2.110 9.14] there are six pairs of two colours, and each can be sent', () => {
  expect(colourPairs).toHaveLength(6);
  for (const { colours } of colourPairs) {
    const sent = requestOf({ ...draft, brandColors: colours }, company);
    expect(companySetupRequestSchema.parse(sent).brandColors).toEqual(colours);
    expect(colourPairs.filter((pair) => isPair(colours, pair.colours))).toHaveLength(1);
  }
});

test('[5.17 D44] a fourth trait drops the oldest: the three newest stay', () => {
  const chosen = (['bold', 'playful', 'innovative', 'professional'] as const).reduce<Trait[]>(withTrait, []);
  expect(chosen).toEqual(['playful', 'innovative', 'professional']);
});

test('a trait chosen again is given up', () => {
  expect(withTrait(['bold', 'playful'], 'bold')).toEqual(['playful']);
});

test('[5.15 5.16] an empty draft is refused in four fields, a complete one in none', () => {
  const empty = { ...draft, companyName: ' ', employeeRange: '' as const, brandTraits: [], brandColors: null };
  expect(refusalsOf(empty).map(([field, { message }]) => [field, message])).toEqual([
    ['companyName', 'Company name is required'],
    ['employeeRange', 'Select the number of employees'],
    ['brandTraits', 'Select at least one brand trait'],
    ['brandColors', 'Select exactly 2 brand colors'],
  ]);
  expect(refusalsOf(draft)).toEqual([]);
});

test('[7.32] the logo is sent only when it changed, and as nothing when it was taken away', () => {
  expect(requestOf(draft, company)).not.toHaveProperty('logoUrl');
  expect(requestOf({ ...draft, logoUrl: null }, company)).toMatchObject({ logoUrl: '' });
  const dataUrl = 'data:image/png;base64,AAAA';
  expect(requestOf({ ...draft, logoUrl: dataUrl }, company)).toMatchObject({ logoUrl: dataUrl });
});

test('[3.4] the welcome message is sent when it was changed, and empty when it was taken away', () => {
  expect(requestOf(draft, company)).not.toHaveProperty('welcomeMessage');
  expect(requestOf({ ...draft, welcomeMessage: ' Let us go! ' }, company).welcomeMessage).toBe('Let us go!');
  expect(requestOf({ ...draft, welcomeMessage: '' }, company).welcomeMessage).toBe('');
});
