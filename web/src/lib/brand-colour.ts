import { contrastOf, hexOf, oklchOf, type Oklch } from './oklch.ts';
import { sceneProperties } from './scene-colour.ts';

/** What the organisation's one colour becomes on light or on dark ground. */
type BrandShades = {
  /** Trails, rings, bars, focus: at least 3 : 1 on every ground. */
  fill: string;
  /** Buttons, with the label on them at least 4.5 : 1. */
  solid: string;
  /** Ten steps darker; lighter where the label is black, so that it stays readable. */
  hover: string;
  /** Twenty steps lighter: a rim around what is pressed, never under text. */
  light: string;
  onSolid: string;
  /** Coloured text: at least 4.5 : 1 on every ground, `subtle` too. */
  text: string;
  subtle: string;
  line: string;
};

/** The grounds of tokens.css a colour may stand on: paper, surface, sunken. */
export const grounds = {
  light: ['#faf7f2', '#ffffff', '#f2ede5'],
  dark: ['#131110', '#1d1a18', '#0d0b0a'],
} as const;

type Mode = keyof typeof grounds;

/** One step of lightness (3.5): one of the 255 of a colour channel. */
const lightnessStep = 1 / 255;

/** So much may a button darken to carry a white label; beyond it the colour would no longer be the organisation's. */
const mostDarkening = 0.15;

const leastContrast = (hex: string, against: readonly string[]) =>
  Math.min(...against.map((ground) => contrastOf(hex, ground)));

/** The colour itself if it stands out enough, else the nearest lightness away from the ground that does. */
function standingOut(seed: Oklch, against: readonly string[], ratio: number, mode: Mode): string {
  const own = hexOf(seed);
  if (leastContrast(own, against) >= ratio) return own;
  let near = seed.l;
  let far = mode === 'light' ? 0 : 1;
  for (let step = 0; step < 16; step += 1) {
    const middle = (near + far) / 2;
    if (leastContrast(hexOf({ ...seed, l: middle }), against) >= ratio) far = middle;
    else near = middle;
  }
  return hexOf({ ...seed, l: far });
}

/** White where it reads, else black: one of the two reaches 4.58 : 1 on any fill. */
const labelOn = (fill: string) => (contrastOf(fill, '#ffffff') >= 4.5 ? '#ffffff' : '#000000');

function solidOf(seed: Oklch, fill: string, mode: Mode): string {
  const own = hexOf(seed);
  if (mode === 'dark') return fill;
  const underWhite = standingOut(seed, ['#ffffff'], 4.5, 'light');
  if (seed.l - oklchOf(underWhite).l <= mostDarkening) return underWhite;
  return contrastOf(own, grounds.light[0]) < 1.25 ? fill : own;
}

function shadesOf(seed: Oklch, mode: Mode): BrandShades {
  const tint = (l: number, most: number) => hexOf({ ...seed, l, c: Math.min(seed.c, most) });
  const subtle = mode === 'light' ? tint(0.965, 0.03) : tint(0.27, 0.045);
  const fill = standingOut(seed, [...grounds[mode], subtle], 3, mode);
  const solid = solidOf(seed, fill, mode);
  const onSolid = labelOn(solid);
  const { l, ...tone } = oklchOf(solid);
  return {
    fill,
    solid,
    hover: hexOf({ ...tone, l: l + (onSolid === '#ffffff' ? -10 : 10) * lightnessStep }),
    light: hexOf({ ...tone, l: Math.min(1, l + 20 * lightnessStep) }),
    onSolid,
    text: standingOut(seed, [...grounds[mode], subtle], 4.5, mode),
    subtle,
    line: mode === 'light' ? tint(0.88, 0.08) : tint(0.4, 0.08),
  };
}

/** Shades of the organisation's colour for light and dark ground. @param seed `#rrggbb` */
export function brandShades(seed: string): Record<Mode, BrandShades> {
  const colour = oklchOf(seed);
  return { light: shadesOf(colour, 'light'), dark: shadesOf(colour, 'dark') };
}

const propertyOf: Record<keyof BrandShades, `--${string}`> = {
  fill: '--brand',
  solid: '--brand-solid',
  hover: '--brand-hover',
  light: '--brand-light',
  onSolid: '--on-brand',
  text: '--brand-text',
  subtle: '--brand-subtle',
  line: '--brand-line',
};

/**
 * Custom properties that replace those of tokens.css.
 * @param first `#rrggbb`
 * @param second `#rrggbb`: the light of the scenes
 */
export function brandProperties(first: string, second?: string): Record<string, string> {
  const { light, dark } = brandShades(first);
  const shades = Object.keys(propertyOf) as (keyof BrandShades)[];
  return {
    ...Object.fromEntries(shades.map((shade) => [propertyOf[shade], `light-dark(${light[shade]}, ${dark[shade]})`])),
    // Bars on scenes have a white track by day and by night.
    '--brand-fill': light.fill,
    ...sceneProperties(first, second),
  };
}
