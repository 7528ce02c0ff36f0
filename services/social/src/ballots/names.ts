import { isSameText, textKey } from '@caravan/contracts/domain/text/text-key';
import { Invalid } from '@caravan/kernel/problem';

const howMany = 4;

const byTrait: Readonly<Record<string, readonly string[]>> = {
  bold: ['Bold', 'Daring', 'Fearless', 'Mighty', 'Brave', 'Roaring'],
  playful: ['Bouncing', 'Jolly', 'Cheeky', 'Dancing', 'Merry', 'Giddy'],
  'purpose-driven': ['Steady', 'True', 'Hopeful', 'Noble', 'Onward', 'Kind'],
  innovative: ['Bright', 'Electric', 'Clever', 'Nimble', 'Rocket', 'Neon'],
  collaborative: ['United', 'Linked', 'Joined', 'Common', 'Mutual', 'Allied'],
  professional: ['Prime', 'Sterling', 'Summit', 'Classic', 'Polished', 'Swift'],
};

const ofAll = [
  'Otters',
  'Foxes',
  'Falcons',
  'Wolves',
  'Herons',
  'Badgers',
  'Lynxes',
  'Hares',
  'Swifts',
  'Stags',
  'Striders',
  'Pacers',
  'Ramblers',
  'Trekkers',
  'Rovers',
  'Nomads',
  'Wayfarers',
  'Drifters',
  'Sprinters',
  'Hikers',
];

/** What a typed industry is recognised by; its own words never stand in a name. */
const byIndustry: readonly (readonly [RegExp, readonly string[]])[] = [
  [/tech|software|\bit\b|data|digital|internet/, ['Bytes', 'Circuits', 'Pixels', 'Signals', 'Robots', 'Modems']],
  [/health|medic|care|pharma|clinic|hospital/, ['Pulses', 'Heartbeats', 'Healers', 'Medics', 'Remedies', 'Tonics']],
  [/financ|bank|insur|account|invest/, ['Bulls', 'Ledgers', 'Brokers', 'Coins', 'Dividends', 'Vaults']],
  [/educat|school|universit|learn|teach/, ['Owls', 'Scholars', 'Mentors', 'Chalks', 'Readers', 'Professors']],
  [/retail|shop|store|commerce|fashion/, ['Baskets', 'Traders', 'Merchants', 'Bargains', 'Ribbons', 'Counters']],
  [/food|restaurant|hotel|hospitality|drink|bak/, ['Peppers', 'Chefs', 'Bakers', 'Ladles', 'Spices', 'Pretzels']],
  [/manufact|industr|engineer|mill|factor|automot/, ['Gears', 'Pistons', 'Makers', 'Anvils', 'Rivets', 'Levers']],
  [
    /transport|logistic|travel|shipping|airline/,
    ['Voyagers', 'Couriers', 'Captains', 'Compasses', 'Anchors', 'Pilots'],
  ],
  [/energy|oil|solar|power|utilit/, ['Sparks', 'Turbines', 'Dynamos', 'Beacons', 'Currents', 'Embers']],
  [/media|creativ|market|design|advert|entertain/, ['Headlines', 'Encores', 'Inks', 'Echoes', 'Palettes', 'Anthems']],
  [/construct|building|estate|property|architect/, ['Builders', 'Cranes', 'Keystones', 'Masons', 'Arches', 'Beams']],
  [/farm|agricult|garden|forest/, ['Harvesters', 'Orchards', 'Ploughs', 'Acorns', 'Clovers', 'Meadows']],
];

type Company = { readonly traits: readonly string[]; readonly industry: string | null };

/**
 * Names for a team out of the company's traits and industry (D20): the same for the same team, no two with a word in
 * common, none of those that are taken.
 */
export function suggestedNames(company: Company, teamId: string, taken: ReadonlySet<string>): string[] {
  const traits = company.traits.filter((trait) => trait in byTrait);
  const adjectives = (traits.length > 0 ? traits : Object.keys(byTrait)).flatMap((trait) => byTrait[trait] ?? []);
  const industry = textKey(company.industry ?? '');
  const own = byIndustry.find(([words]) => words.test(industry))?.[1] ?? [];
  const names: string[] = [];
  for (let round = 1; names.length < howMany; round += 1) {
    // Half of them speak of the industry, where it is known.
    for (const [nouns, upTo] of [[own, howMany / 2] as const, [ofAll, howMany] as const])
      names.push(...chooseNames({ adjectives, nouns, round, teamId, taken, names, most: upTo - names.length }));
  }
  return names;
}

type Choice = {
  readonly adjectives: readonly string[];
  readonly nouns: readonly string[];
  /** From the second on names are numbered, so that they never run out. */
  readonly round: number;
  readonly teamId: string;
  readonly taken: ReadonlySet<string>;
  readonly names: readonly string[];
  readonly most: number;
};

function chooseNames({ adjectives, nouns, round, teamId, taken, names, most }: Choice): string[] {
  const used = new Set(names.flatMap((name) => name.split(' ')));
  const number = round === 1 ? '' : ` ${round}`;
  const all = adjectives.flatMap((adjective) => nouns.map((noun) => ({ adjective, noun })));
  const shuffled = all
    .map((pair) => ({ ...pair, name: `${pair.adjective} ${pair.noun}${number}` }))
    .map((one) => ({ ...one, order: hashOf(`${teamId} ${one.name}`) }))
    .toSorted((one, other) => one.order - other.order);
  const found: string[] = [];
  for (const { adjective, noun, name } of shuffled) {
    if (found.length >= most) break;
    if (used.has(adjective) || used.has(noun) || taken.has(textKey(name))) continue;
    used.add(adjective).add(noun);
    found.push(name);
  }
  return found;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** Names that an admin typed, by the rules of team names. Throws for the first that is there twice or taken. */
export function assertNames(names: readonly string[], taken: ReadonlySet<string>): void {
  for (const [nth, name] of names.entries()) {
    const isTwice = names.slice(0, nth).some((other) => isSameText(other, name));
    if (isTwice) throw problem(nth, 'twice', 'Each name stands there once');
    if (taken.has(textKey(name))) throw problem(nth, 'name-taken', 'There is already a team of this name');
  }
}

const problem = (nth: number, reason: string, message: string) =>
  new Invalid([{ path: `names.${nth}`, message }], `ballot/${reason}`);
