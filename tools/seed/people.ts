/** Sign-up order decides the team: Thunder, Blazers, Thunder, … (D2). */
export type DemoPerson = {
  readonly name: string;
  readonly email: string;
  readonly movementsPerWeek: number;
  readonly streakDays?: number;
  readonly profile?: DemoProfile;
};

export type DemoProfile = { readonly bio?: string; readonly location?: string; readonly favoriteActivity?: string };

export const demoPassword = 'Caravan-2026!';
export const demoOrganisation = 'Caravan Demo';

export const demoCompany = {
  companyName: demoOrganisation,
  employeeRange: '1-25',
  brandTraits: ['playful', 'collaborative'],
  industry: 'Outdoor equipment',
  welcomeMessage: 'Every ten minutes is a mile. Where do we go today?',
  brandColors: ['#ea580c', '#facc15'],
} as const;

const person = (name: string, movementsPerWeek: number, profile?: DemoProfile): DemoPerson => ({
  name,
  email: `${name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]+/g, '.')}@caravan.example`,
  movementsPerWeek,
  ...(profile && { profile }),
});

export const demoAdmin: DemoPerson = {
  name: 'Alex Admin',
  email: 'admin@caravan.example',
  movementsPerWeek: 2,
  profile: { bio: 'Keeps the caravan moving. Ask me about teams and invites.', location: 'Berlin' },
};

export const demoPeople: readonly DemoPerson[] = [
  demoAdmin,
  { name: 'Omar Haddad', email: 'omar@caravan.example', movementsPerWeek: 0 },
  {
    name: 'Maya Okafor',
    email: 'maya@caravan.example',
    movementsPerWeek: 2,
    streakDays: 12,
    profile: { bio: 'Up early, out before breakfast 🌅', location: 'Lagos', favoriteActivity: 'Walking' },
  },
  person('Lena Fischer', 3, { bio: 'Once round the lake, whatever the weather.', favoriteActivity: 'Running' }),
  person('Yuki Tanaka', 2, { location: 'Osaka', favoriteActivity: 'Yoga' }),
  person('Tomás Herrera', 2, { bio: 'Two wheels are enough.', location: 'Sevilla', favoriteActivity: 'Biking' }),
  person('Priya Raman', 4, { location: 'Chennai', favoriteActivity: 'Hiking' }),
  person('Noah Lindqvist', 1),
  person('Aisha Bello', 3),
  person('Jonas Weber', 2),
  person('Chloé Dubois', 2),
  person('Mateo Rossi', 1),
  person('Ingrid Solberg', 3),
  person('Kwame Mensah', 2),
  person('Sofia Papadopoulou', 1),
  person('Liam Murphy', 2),
  person('Mei Chen', 3),
  person('Diego Alvarez', 1),
  person('Hannah Cohen', 2),
  person('Arjun Patel', 2),
  person('Zofia Nowak', 3),
  person('Bilal Khan', 1),
  person('Elif Demir', 2),
  person('Maximiliana Featherstonehaugh-Cholmondeley', 1),
];

/** Who shows a picture of themselves: by first name, and which. Omar and most others have not chosen one yet. */
export const demoPortraits: readonly (readonly [name: string, seed: number])[] = [
  ['Alex', 32],
  ['Maya', 29],
  ['Lena', 28],
  ['Yuki', 34],
  ['Tomás', 8],
  ['Priya', 22],
  ['Kwame', 24],
  ['Ingrid', 35],
];

/** In the order of the teams' age. */
export const demoBallots = [
  { team: 'Thunder', isDecided: false },
  { team: 'Blazers', isDecided: true },
] as const;

/** By first name: Maya has 3 followers and follows 4 (D26). */
export const demoFollows: readonly (readonly [string, string])[] = [
  ['Lena', 'Maya'],
  ['Priya', 'Maya'],
  ['Alex', 'Maya'],
  ['Maya', 'Lena'],
  ['Maya', 'Priya'],
  ['Maya', 'Yuki'],
  ['Maya', 'Tomás'],
  ['Noah', 'Lena'],
  ['Mei', 'Priya'],
];
