import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type Ballot, ballotSchema, type NameOptions, nameOptionsSchema } from '@caravan/contracts/http/ballots';
import { listenTo } from '@caravan/messaging/testing/listener';
import { memberJoined, memberOf, startSocial, type SocialUnderTest, type TestMember } from './social-under-test.ts';

export const founded = {
  type: 'OrganisationFounded',
  data: { name: 'Acme', timeZone: 'UTC', foundedAt: '2026-11-16T08:00:00.000Z' },
};

export const teamFormed = (teamId: string, name: string) => ({
  type: 'TeamFormed',
  data: { teamId, name, emoji: '⚡', formedAt: '2026-11-16T08:00:00.000Z' },
});

export const companySetUp = (changes: object = {}) => ({
  type: 'CompanySetUp',
  data: {
    name: 'Acme',
    industry: 'Software',
    employeeRange: '26-50',
    brandTraits: ['bold', 'innovative'],
    setUpAt: new Date().toISOString(),
    ...changes,
  },
});

/** Two teams; Maya (an admin) and Omar in Thunder, Zoe in Blazers. */
export async function foundTeams(social: SocialUnderTest) {
  const orgId = randomUUID();
  const thunder = randomUUID();
  const blazers = randomUUID();
  const maya = memberOf(orgId, thunder, 'Maya');
  const omar = memberOf(orgId, thunder, 'Omar');
  const zoe = memberOf(orgId, blazers, 'Zoe');
  const all = [
    founded,
    teamFormed(thunder, 'Thunder'),
    teamFormed(blazers, 'Blazers'),
    ...[maya, omar, zoe].map(memberJoined),
  ];
  const header = await social.tell(orgId, ...all);
  return { orgId, thunder, blazers, maya, omar, zoe, header };
}

export type Teams = Awaited<ReturnType<typeof foundTeams>>;

/** What people and admins ask of ballots, each answer with its status; what was promised of a shape is checked. */
export function ballotsOf(social: SocialUnderTest, { maya, header }: Pick<Teams, 'maya' | 'header'>) {
  const admin = () => social.as(maya, { role: 'admin' });
  return {
    admin,
    options: async (member: TestMember, teamId = member.teamId) => {
      const answer = await (await social.as(member)).get(`/api/teams/${teamId}/name-options`, header);
      return { ...answer, options: answer.status === 200 ? nameOptionsSchema.strict().parse(answer.body) : null };
    },
    vote: async (member: TestMember, body: object) => (await social.as(member)).post('/api/teams/vote', body, header),
    open: async (teamId: string, body: object = {}): Promise<Ballot> => {
      const { status, body: ballot } = await (await admin()).post(`/api/teams/${teamId}/ballots`, body, header);
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(ballot)}`);
      return ballotSchema.strict().parse(ballot);
    },
    list: async () => (await (await admin()).get<Ballot[]>('/api/ballots', header)).body,
  };
}

export const votesOf = ({ nameOptions }: Pick<NameOptions, 'nameOptions'>) =>
  Object.fromEntries(nameOptions.map(({ name, votes }) => [name, votes]));

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

export const names = ['Otters', 'Foxes', 'Herons'];

/** Social with its teams and ballots, and what it tells others of them. */
export async function startBallots() {
  const social = await startSocial();
  const listener = await listenTo('social', social.env);
  return {
    ...social,
    teams: async () => {
      const found = await foundTeams(social);
      return { ...found, ...ballotsOf(social, found) };
    },
    facts: (orgId: string, type: string) => listener.heard.filter((fact) => fact.orgId === orgId && fact.type === type),
    close: async () => {
      await listener.close();
      await social.close();
    },
  };
}

export type BallotsUnderTest = Awaited<ReturnType<typeof startBallots>>;
