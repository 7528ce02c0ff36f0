import { hexOf, type Oklch, oklchOf } from './oklch.ts';

type Mode = 'light' | 'dark';
/** Lightness, and the most chroma that the organisation's colour may bring. */
type Tone = readonly [lightness: number, mostChroma: number];
type Pair = Readonly<Record<Mode, Tone>>;

const always = (tone: Tone): Pair => ({ light: tone, dark: tone });

/**
 * The landscape of an organisation: its first colour makes the land and the sky, its second the light on them. Lightness
 * is fixed and chroma capped, so that contrast does not depend on the colours chosen.
 */
const ofLand = {
  '--sky-1': { light: [0.33, 0.105], dark: [0.19, 0.045] },
  '--sky-2': { light: [0.44, 0.135], dark: [0.26, 0.07] },
  '--sky-3': { light: [0.57, 0.165], dark: [0.38, 0.1] },
  '--hill-1': { light: [0.5, 0.13], dark: [0.31, 0.07] },
  '--hill-2': { light: [0.41, 0.11], dark: [0.245, 0.055] },
  '--hill-3': { light: [0.31, 0.085], dark: [0.195, 0.04] },
  '--land': { light: [0.235, 0.06], dark: [0.155, 0.03] },
  // The night of the great milestones, the same by day and by night.
  '--night-1': always([0.15, 0.04]),
  '--night-2': always([0.25, 0.08]),
  '--night-3': always([0.4, 0.12]),
  '--night-road': always([0.27, 0.065]),
  '--night-post': always([0.45, 0.05]),
} as const satisfies Record<string, Pair>;

const ofLight = {
  '--glow': { light: [0.84, 0.14], dark: [0.58, 0.1] },
  '--sun': { light: [0.93, 0.12], dark: [0.9, 0.05] },
  '--light': always([0.88, 0.15]),
  '--on-light': always([0.25, 0.06]),
  '--light-subtle': { light: [0.96, 0.05], dark: [0.27, 0.05] },
  '--light-line': { light: [0.84, 0.11], dark: [0.42, 0.08] },
  '--light-text': { light: [0.42, 0.09], dark: [0.88, 0.12] },
} as const satisfies Record<string, Pair>;

export type SceneColour = keyof typeof ofLand | keyof typeof ofLight;
export type SceneShades = Record<SceneColour, Record<Mode, string>>;

const fortyDegrees = (40 * Math.PI) / 180;

/**
 * Every colour of a scene, by its custom property.
 * @param first `#rrggbb`
 * @param second `#rrggbb`; absent: the hue of the first and forty degrees
 */
export function sceneShades(first: string, second?: string): SceneShades {
  const land = oklchOf(first);
  const light = second === undefined ? { ...land, h: land.h + fortyDegrees } : oklchOf(second);
  const shades = [...shadesOf(ofLand, land), ...shadesOf(ofLight, light)];
  return Object.fromEntries(shades) as SceneShades;
}

function shadesOf(tones: Readonly<Record<string, Pair>>, seed: Oklch) {
  const shade = ([l, mostChroma]: Tone) => hexOf({ ...seed, l, c: Math.min(seed.c, mostChroma) });
  return Object.entries(tones).map(([name, { light, dark }]) => [name, { light: shade(light), dark: shade(dark) }]);
}

/** Custom properties that replace those of tokens.css. @param first `#rrggbb` @param second `#rrggbb` */
export function sceneProperties(first: string, second?: string): Record<string, string> {
  const shades = Object.entries(sceneShades(first, second));
  return Object.fromEntries(shades.map(([name, { light, dark }]) => [name, `light-dark(${light}, ${dark})`]));
}
