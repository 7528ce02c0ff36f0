/** A colour by lightness (0 to 1), chroma and hue (radians). Formulas: Björn Ottosson, "A perceptual color space" (2020). */
export type Oklch = { l: number; c: number; h: number };

type Triple = [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Linear red, green and blue (0 to 1) of `#rrggbb`. */
function linearOf(hex: string): Triple {
  const channel = (at: number) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

function linearOfOklch({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const isInGamut = (colour: Triple) => colour.every((channel) => channel >= -0.0001 && channel <= 1.0001);

/** Lightness, chroma and hue of `#rrggbb`. */
export function oklchOf(hex: string): Oklch {
  const [red, green, blue] = linearOf(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

/** The nearest `#rrggbb` of that lightness and hue: chroma gives way where a screen cannot show it. */
export function hexOf({ l, c, h }: Oklch): string {
  let low = 0;
  let high = c;
  if (isInGamut(linearOfOklch({ l, c, h }))) low = c;
  else
    for (let step = 0; step < 20; step += 1) {
      const middle = (low + high) / 2;
      if (isInGamut(linearOfOklch({ l, c: middle, h }))) low = middle;
      else high = middle;
    }
  const channels = linearOfOklch({ l, c: low, h }).map((value) => {
    const level = Math.round(fromLinear(Math.min(1, Math.max(0, value))) * 255);
    return level.toString(16).padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminanceOf(hex: string): number {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two `#rrggbb`, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
