/** What a recap's picture shows: teams and figures. No person is on it but the one who asks for themselves. */
export type Picture = {
  readonly weekStartDate: string;
  readonly weekEndDate: string;
  readonly miles: number;
  readonly previousMiles: number;
  readonly memberCount: number;
  readonly teams: readonly { readonly name: string; readonly miles: number }[];
  readonly streaksKept: number;
  readonly checkpoints: number;
  readonly own: { readonly name: string; readonly miles: number } | null;
};

export const pictureSize = { width: 1200, height: 630 } as const;

const colours = {
  paper: '#faf7f2',
  surface: '#ffffff',
  ink: '#211b14',
  quiet: '#5d5348',
  line: '#e8e0d5',
  way: '#8f8577',
  brand: '#cf4b00',
} as const;
const places = ['#c98a1b', '#8693a0', '#b0703f'];
const mostLetters = 21;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// XML knows no control characters; emblems have no letters in our font.
const unprintable = /[\p{Cc}\p{Cs}\p{Cf}\p{Extended_Pictographic}]/gu;

/** Typed by somebody: cut to what has room, and nothing in it is markup. */
const fittingMarkup = (text: string): string => {
  const letters = [...text.replaceAll(unprintable, '').trim()];
  const shown = letters.length > mostLetters ? [...letters.slice(0, mostLetters - 1), '…'] : letters;
  return shown.map((letter) => escapes[letter] ?? letter).join('');
};

const figures = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const counts = new Intl.NumberFormat('en-US');
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

type TextStyle = { readonly size: number; readonly colour?: string; readonly bold?: boolean; readonly end?: boolean };

const text = (x: number, y: number, words: string, { size, colour = colours.ink, bold, end }: TextStyle): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" font-weight="${bold ? 800 : 500}"` +
  `${end ? ' text-anchor="end"' : ''}>${words}</text>`;

const plural = (count: number, one: string, many: string): string =>
  `${counts.format(count)} ${count === 1 ? one : many}`;

function changeOf({ miles, previousMiles }: Picture): string {
  const change = miles - previousMiles;
  if (previousMiles === 0 || Math.abs(change) < 0.05) return 'travelled together';
  return `${figures.format(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than the week before`;
}

function teamRow({ name, miles }: Picture['teams'][number], place: number, most: number): string {
  const y = 330 + place * 78;
  const length = Math.max(12, Math.round((430 * miles) / Math.max(most, 1)));
  return [
    `<circle cx="662" cy="${y - 9}" r="20" fill="${places[place] ?? colours.way}"/>`,
    `<text x="662" y="${y - 1}" font-size="22" font-weight="800" fill="#ffffff" text-anchor="middle">${place + 1}</text>`,
    text(698, y - 6, fittingMarkup(name), { size: 28, bold: true }),
    text(1130, y - 6, figures.format(miles), { size: 28, end: true }),
    `<rect x="700" y="${y + 8}" width="430" height="10" rx="5" fill="${colours.line}"/>`,
    `<rect x="700" y="${y + 8}" width="${length}" height="10" rx="5" fill="${colours.brand}"/>`,
  ].join('');
}

/** The way behind is solid, the one ahead dotted; each checkpoint of the week is a stop. */
function trail(checkpoints: number): string {
  const stops = Math.min(checkpoints, 5);
  const ring = (x: number) =>
    `<circle cx="${x}" cy="565" r="11" fill="${colours.paper}" stroke="${colours.brand}" stroke-width="6"/>`;
  return [
    `<path d="M70 565 H850" stroke="${colours.brand}" stroke-width="8" stroke-linecap="round"/>`,
    `<path d="M880 565 H1130" stroke="${colours.way}" stroke-width="6" stroke-linecap="round" stroke-dasharray="1 22"/>`,
    ...Array.from({ length: stops }, (_, nth) => ring(70 + Math.round((780 * (nth + 1)) / (stops + 1)))),
    `<circle cx="850" cy="565" r="20" fill="${colours.brand}"/>`,
  ].join('');
}

/** An SVG document of 1200 × 630, as links and chats show it. */
export function svgOf(picture: Picture): string {
  const { weekStartDate, weekEndDate, miles, memberCount, teams, streaksKept, checkpoints, own } = picture;
  const { width, height } = pictureSize;
  const week = days.formatRange(new Date(weekStartDate), new Date(weekEndDate));
  const facts = [
    plural(memberCount, 'person moved', 'people moved'),
    ...(streaksKept > 0 ? [plural(streaksKept, 'streak kept', 'streaks kept')] : []),
    ...(checkpoints > 0 ? [plural(checkpoints, 'checkpoint reached', 'checkpoints reached')] : []),
  ];
  const most = Math.max(0, ...teams.map((team) => team.miles));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Figtree">`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    text(70, 96, 'Caravan', { size: 34, bold: true, colour: colours.brand }),
    text(1130, 96, week, { size: 28, colour: colours.quiet, end: true }),
    text(66, 262, counts.format(Math.round(miles * 10) / 10), { size: 138, bold: true }),
    text(70, 318, miles === 1 ? 'mile' : 'miles', { size: 40, bold: true }),
    text(70, 364, changeOf(picture), { size: 25, colour: colours.quiet }),
    ...facts.map((fact, nth) => text(70, 418 + nth * 36, fact, { size: 26, colour: colours.quiet })),
    ...(own ? [text(1130, 166, `${fittingMarkup(own.name)}: ${figures.format(own.miles)} miles`, ownStyle)] : []),
    ...(teams.length > 0 ? [text(640, 258, 'Top teams', { size: 30, bold: true })] : []),
    ...teams.map((team, place) => teamRow(team, place, most)),
    trail(checkpoints),
    '</svg>',
  ].join('');
}

const ownStyle: TextStyle = { size: 28, bold: true, colour: colours.brand, end: true };
