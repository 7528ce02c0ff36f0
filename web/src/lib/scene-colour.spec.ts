// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, hexOf, oklchOf } from './oklch.ts';
import { sceneProperties, sceneShades } from './scene-colour.ts';

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const modes = ['light', 'dark'] as const;

/** White at 82 % over a ground, as second lines on a scene are written. */
function secondLineOn(ground: string): string {
  const channel = (at: number) => Math.round(255 * 0.82 + Number.parseInt(ground.slice(at, at + 2), 16) * 0.18);
  return `#${[1, 3, 5].map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`;
}

test('any pair of colours leaves both inks of a scene at least 4.5 to 1 on its sky, its near hills and its land', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (first, second) => {
      const shades = sceneShades(first, second);
      for (const mode of modes)
        for (const ground of ['--sky-1', '--sky-2', '--hill-2', '--hill-3', '--land'] as const) {
          const hex = shades[ground][mode];
          expect(contrastOf('#ffffff', hex)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(secondLineOn(hex), hex)).toBeGreaterThanOrEqual(4.5);
        }
    }),
    { numRuns: 500 },
  );
});

test('any pair of colours leaves dark text on the light, and coloured text on its tint, at least 4.5 to 1', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (first, second) => {
      const shades = sceneShades(first, second);
      for (const mode of modes) {
        expect(contrastOf(shades['--on-light'][mode], shades['--light'][mode])).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(shades['--light-text'][mode], shades['--light-subtle'][mode])).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf('#ffffff', shades['--night-3'][mode])).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 500 },
  );
});

test('the land keeps the hue of the first colour, and the light that of the second', () => {
  const shades = sceneShades('#0369a1', '#22d3ee');
  const hueOf = (hex: string) => oklchOf(hex).h;
  expect(Math.abs(hueOf(shades['--sky-2'].light) - hueOf('#0369a1'))).toBeLessThan(0.1);
  expect(Math.abs(hueOf(shades['--light'].light) - hueOf('#22d3ee'))).toBeLessThan(0.1);
});

test('without a second colour the light is forty degrees further round', () => {
  const { c, h } = oklchOf('#15803d');
  const further = hexOf({ l: 0.88, c: Math.min(c, 0.15), h: h + (40 * Math.PI) / 180 });
  expect(sceneShades('#15803d')['--light'].light).toBe(further);
});

test('a scene is written in plain colours that every browser knows', () => {
  for (const value of Object.values(sceneProperties('#ea580c', '#facc15')))
    expect(value).toMatch(/^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
});
