/** A person of the demo organisation. Sign-up order decides the team: Thunder, Blazers, Thunder, … (D2). */
export type DemoPerson = {
  readonly name: string;
  readonly email: string;
  /** Movements a week on average; 0 has not logged yet. */
  readonly movementsPerWeek: number;
  readonly streakDays?: number;
};

export const demoPassword = 'Caravan-2026!';
export const demoOrganisation = 'Caravan Demo';

const person = (name: string, movementsPerWeek: number): DemoPerson => ({
  name,
  email: `${name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]+/g, '.')}@caravan.example`,
  movementsPerWeek,
});

export const demoAdmin: DemoPerson = { name: 'Alex Admin', email: 'admin@caravan.example', movementsPerWeek: 2 };

/** In order of sign-up, the admin first. */
export const demoPeople: readonly DemoPerson[] = [
  demoAdmin,
  { name: 'Omar Haddad', email: 'omar@caravan.example', movementsPerWeek: 0 },
  { name: 'Maya Okafor', email: 'maya@caravan.example', movementsPerWeek: 2, streakDays: 12 },
  person('Lena Fischer', 3),
  person('Yuki Tanaka', 2),
  person('Tomás Herrera', 2),
  person('Priya Raman', 4),
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
