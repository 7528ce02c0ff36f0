// @vitest-environment node
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultBranding } from '@caravan/contracts/domain/branding';
import { brandProperties, brandShades, grounds } from './brand-colour.ts';
import { contrastOf, hexOf, oklchOf } from './oklch.ts';

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const modes = ['light', 'dark'] as const;

const tokens = readFileSync(`${import.meta.dirname}/../styles/tokens.css`, 'utf8');
const pairOf = (name: string) => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens) ?? [];
  return { light, dark };
};

test('contrast is that of WCAG 2.2', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('every colour survives the way to OKLCH and back', () => {
  fc.assert(
    fc.property(anyColour, (colour) => {
      expect(hexOf(oklchOf(colour))).toBe(colour);
    }),
  );
});

test('for any organisation colour: text at least 4.5, parts at least 3, labels at least 4.5 to 1, in quantised colours', () => {
  fc.assert(
    fc.property(anyColour, (seed) => {
      const shades = brandShades(seed);
      for (const mode of modes) {
        const { fill, solid, hover, onSolid, text, subtle } = shades[mode];
        for (const ground of [...grounds[mode], subtle]) {
          expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(fill, ground)).toBeGreaterThanOrEqual(3);
        }
        expect(contrastOf(onSolid, solid)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(onSolid, hover)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 1000 },
  );
});

test('[3.5] hover is ten steps darker, light is twenty steps lighter than what a button is filled with', () => {
  for (const seed of ['#ea580c', '#0369a1', '#15803d', '#6d28d9', '#be123c', '#334155']) {
    const { solid, hover, light } = brandShades(seed).light;
    const [own, darker, lighter] = [solid, hover, light].map((hex) => oklchOf(hex).l * 255);
    expect((own ?? 0) - (darker ?? 0)).toBeCloseTo(10, 0);
    expect((lighter ?? 0) - (own ?? 0)).toBeCloseTo(20, 0);
  }
});

test('text of the page stays readable on the tint of any organisation colour', () => {
  const inks = ['ink', 'ink-2', 'ink-3'].map(pairOf);
  fc.assert(
    fc.property(anyColour, (seed) => {
      const shades = brandShades(seed);
      for (const mode of modes)
        for (const ink of inks) expect(contrastOf(ink[mode] ?? '', shades[mode].subtle)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a colour that stands out enough is left as it is', () => {
  expect(brandShades('#ea580c').light.fill).toBe('#ea580c');
  expect(brandShades('#2563eb').light.solid).toBe('#2563eb');
});

test('yellow keeps its hue as a trail by day, and itself by night', () => {
  const { light, dark } = brandShades('#fde047');
  expect(Math.abs(oklchOf(light.fill).h - oklchOf('#fde047').h)).toBeLessThan(0.05);
  expect(dark.fill).toBe('#fde047');
});

test('the grounds are those of tokens.css', () => {
  for (const mode of modes)
    expect(['paper', 'surface', 'sunken'].map((name) => pairOf(name)[mode])).toEqual(grounds[mode]);
});

test('the shades in tokens.css are those of the default colour', () => {
  for (const [name, value] of Object.entries(brandProperties(defaultBranding.primaryColor)))
    expect(tokens).toContain(`${name}: ${value};`);
});

test('every text colour of tokens.css reads on every ground', () => {
  for (const name of ['ink', 'ink-2', 'ink-3', 'good', 'danger', 'warn', 'rest', 'gold', 'silver', 'bronze'])
    for (const mode of modes)
      for (const ground of grounds[mode])
        expect([name, mode, ground, contrastOf(pairOf(name)[mode] ?? '', ground) >= 4.5]).toContain(true);
});
