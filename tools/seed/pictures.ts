import { randomOf } from './history.ts';

/** Drawn here, so that they are nobody's. */
export type Picture = { readonly svg: string; readonly alt: string };

const width = 1_600;
const height = 1_200;

type Random = () => number;
type Box = readonly [x: number, y: number, wide: number, high: number];
type Scene = { readonly alt: string; readonly draw: (random: Random) => string };

const between = (random: Random, from: number, to: number) => from + random() * (to - from);
const times = (count: number, draw: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => draw(nth)).join('');

const sky = (top: string, bottom: string) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`;

const circle = ([x, y]: readonly [x: number, y: number], radius: number, fill: string, opacity = 1) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" opacity="${opacity}"/>`;

const block = ([x, y, wide, high]: Box, fill: string, opacity = 1) =>
  `<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${fill}" opacity="${opacity}"/>`;

/** A ridge of round hills from one side to the other, filled down to the ground. */
function hills(random: Random, y: number, rise: number, fill: string): string {
  const steps = 5;
  const tops = Array.from({ length: steps + 1 }, () => y - random() * rise);
  const curve = tops
    .slice(1)
    .map((top, nth) => {
      const from = (nth * width) / steps;
      const to = ((nth + 1) * width) / steps;
      const middle = (from + to) / 2;
      return `C${middle} ${tops[nth]} ${middle} ${top} ${to} ${top}`;
    })
    .join('');
  return `<path d="M0 ${tops[0]}${curve}V${height}H0Z" fill="${fill}"/>`;
}

const fir = (x: number, y: number, size: number, fill: string) =>
  `<path d="M${x} ${y - size}l${size * 0.32} ${size * 0.5}h-${size * 0.14}l${size * 0.22} ${size * 0.5}h-${size * 0.8}l${size * 0.22} -${size * 0.5}h-${size * 0.14}Z" fill="${fill}"/>`;

const leafy = (x: number, y: number, size: number, fill: string) =>
  block([x - size * 0.06, y - size * 0.5, size * 0.12, size * 0.5], '#5b4636') +
  circle([x, y - size * 0.7], size * 0.34, fill) +
  circle([x - size * 0.22, y - size * 0.52], size * 0.24, fill) +
  circle([x + size * 0.22, y - size * 0.52], size * 0.24, fill);

const path = (fill: string, from = 0.46, to = 0.54, horizon = 760) =>
  `<path d="M${width * from} ${horizon}L${width * to} ${horizon}L${width * 0.86} ${height}L${width * 0.2} ${height}Z" fill="${fill}"/>`;

const houses = (random: Random, y: number, fills: readonly string[]) => {
  let x = -40;
  let drawn = '';
  while (x < width) {
    const wide = between(random, 120, 210);
    const high = between(random, 180, 340);
    const fill = fills[Math.floor(random() * fills.length)] ?? '#b45309';
    drawn += block([x, y - high, wide, high], fill);
    drawn += `<path d="M${x - 10} ${y - high}L${x + wide / 2} ${y - high - 70}L${x + wide + 10} ${y - high}Z" fill="#4a2c2a"/>`;
    drawn += times(2, (row) =>
      times(2, (column) =>
        block([x + wide * (0.2 + column * 0.38), y - high + 40 + row * 90, wide * 0.2, 50], '#fde68a', 0.85),
      ),
    );
    x += wide + 6;
  }
  return drawn;
};

const scenes: Readonly<Record<string, Scene>> = {
  'Along the canal before breakfast': {
    alt: 'A canal in the first light, old houses along its bank',
    draw: (random) =>
      sky('#8ec5e8', '#fde2c4') +
      circle([between(random, 300, 1_300), 360], 90, '#fff4d6', 0.9) +
      houses(random, 720, ['#c2714f', '#d99a6c', '#a8523f', '#e0b084']) +
      block([0, 720, width, 300], '#5f93a8') +
      times(26, () =>
        block([random() * width, between(random, 740, 1_000), between(random, 60, 200), 6], '#cfe6ee', 0.5),
      ) +
      `<path d="M0 1020H${width}V${height}H0Z" fill="#8a7a5c"/>` +
      times(5, (nth) => leafy(120 + nth * 340, 1_060, between(random, 190, 260), '#4f7a4a')),
  },
  'Rain all the way, worth it': {
    alt: 'A path through green hills in the rain',
    draw: (random) =>
      sky('#6b7f8f', '#b8c4c9') +
      hills(random, 640, 220, '#6f8a7d') +
      hills(random, 760, 160, '#567364') +
      hills(random, 880, 90, '#3f5c4b') +
      path('#8b8373', 0.48, 0.52, 800) +
      times(9, () => fir(between(random, 0, width), between(random, 820, 960), between(random, 140, 230), '#2c4436')) +
      times(140, () => {
        const x = random() * width;
        const y = random() * height;
        return `<path d="M${x} ${y}l-14 54" stroke="#e6eef2" stroke-width="3" opacity="0.45"/>`;
      }),
  },
  'Sunset over the harbour': {
    alt: 'Boats in a harbour below an orange sky',
    draw: (random) => {
      const sun = between(random, 500, 1_100);
      const boats = times(5, (nth) => {
        const x = 160 + nth * 310 + between(random, -50, 50);
        const y = 800 + nth * 14;
        return `<path d="M${x - 90} ${y}h180l-36 46h-108Z" fill="#3b2a3f"/><path d="M${x} ${y - 250}v250M${x} ${y - 240}l80 220h-80" fill="#f3e3d0" stroke="#3b2a3f" stroke-width="6"/>`;
      });
      return (
        sky('#5b3a75', '#fb923c') +
        circle([sun, 700], 150, '#fde68a') +
        block([0, 740, width, height - 740], '#7a3f5d') +
        times(18, (nth) => block([sun - 150 + nth * 4, 756 + nth * 24, 300 - nth * 10, 8], '#fdba74', 0.7)) +
        boats
      );
    },
  },
  'The way to work, on foot': {
    alt: 'A street with trees on both sides in the morning sun',
    draw: (random) =>
      sky('#7cc4f0', '#f4f1de') +
      circle([between(random, 600, 1_000), 330], 110, '#fff1b8') +
      houses(random, 760, ['#d8a48f', '#bb8588', '#a3a380', '#d6ce93']) +
      block([0, 760, width, height - 760], '#9aa58a') +
      path('#c9c2b2') +
      times(4, (nth) => leafy(250 - nth * 40, 820 + nth * 110, 240 + nth * 90, '#5c8a4c')) +
      times(4, (nth) => leafy(1_300 + nth * 60, 820 + nth * 110, 240 + nth * 90, '#6d9a55')),
  },
  'With the whole team at lunch': {
    alt: 'A meadow with a path and big trees at noon',
    draw: (random) =>
      sky('#58b4e8', '#dff3fb') +
      times(4, () => {
        const x = between(random, 100, 1_400);
        const y = between(random, 120, 320);
        return (
          circle([x, y], 60, '#fff', 0.9) +
          circle([x + 70, y + 14], 48, '#fff', 0.9) +
          circle([x - 66, y + 18], 44, '#fff', 0.9)
        );
      }) +
      hills(random, 700, 160, '#9bc18b') +
      hills(random, 820, 90, '#7fb069') +
      path('#e3d5b8', 0.47, 0.53, 800) +
      times(5, () =>
        leafy(between(random, 60, 1_540), between(random, 860, 1_000), between(random, 220, 340), '#4e8d4a'),
      ),
  },
};

const anywhere: Scene = {
  alt: 'A lake between wooded hills',
  draw: (random) =>
    sky('#a7d3f2', '#fef3d7') +
    circle([between(random, 300, 1_300), 300], 80, '#fff6d5') +
    hills(random, 560, 260, '#8aa6b5') +
    hills(random, 680, 160, '#5f8573') +
    block([0, 700, width, 260], '#6fa3b8') +
    times(18, () => block([random() * width, between(random, 720, 940), between(random, 60, 220), 5], '#d9edf3', 0.6)) +
    hills(random, 980, 60, '#466b50') +
    times(11, () => fir(random() * width, between(random, 960, 1_040), between(random, 150, 280), '#2f5240')),
};

/** What somebody could have seen who wrote that; each seed another picture. */
export function pictureOf(caption: string, seed: number): Picture {
  const { alt, draw } = scenes[caption] ?? anywhere;
  return { alt, svg: frameOf(draw(randomOf(seed)), width, height) };
}

const skins = ['#8d5524', '#c68642', '#e0ac69', '#f1c27d', '#ffdbac', '#5c3a21'];
const hairs = ['#1f1a17', '#3b2a20', '#6a4a32', '#a55728', '#c9b18a', '#555'];
const shirts = ['#ea580c', '#0f766e', '#1d4ed8', '#7c3aed', '#be123c', '#4d7c0f'];
const walls = ['#fde68a', '#bfdbfe', '#bbf7d0', '#fecdd3', '#ddd6fe', '#fed7aa'];

/** Somebody's head and shoulders, as a child would cut them out of paper. */
export function portraitOf(seed: number): string {
  const random = randomOf(seed);
  const one = (colours: readonly string[]) => colours[Math.floor(random() * colours.length)] ?? '#888';
  const wall = one(walls);
  const skin = one(skins);
  const hair = one(hairs);
  const shirt = one(shirts);
  const isLong = random() < 0.5;
  return frameOf(
    block([0, 0, 800, 800], wall) +
      (isLong ? `<rect x="216" y="210" width="368" height="420" rx="180" fill="${hair}"/>` : '') +
      `<path d="M90 800c0-190 140-270 310-270s310 80 310 270Z" fill="${shirt}"/>` +
      `<rect x="345" y="470" width="110" height="130" rx="50" fill="${skin}"/>` +
      `<ellipse cx="400" cy="360" rx="150" ry="180" fill="${skin}"/>` +
      `<path d="M244 350c-14-240 326-240 312 0c-36-84-96-104-156-104s-120 20-156 104Z" fill="${hair}"/>` +
      circle([345, 365], 13, '#26201c') +
      circle([455, 365], 13, '#26201c') +
      '<path d="M345 440q55 46 110 0" fill="none" stroke="#7a3b32" stroke-width="12" stroke-linecap="round"/>',
    800,
    800,
  );
}

const frameOf = (inside: string, wide: number, high: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}">${inside}</svg>`;
