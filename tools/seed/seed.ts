import { type Ballot, ballotsSchema } from '@caravan/contracts/http/ballots';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { sessionAnswerSchema, signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { feedSchema } from '@caravan/contracts/http/feed';
import { recapSchema } from '@caravan/contracts/http/recaps';
import { demoHistory, type DemoMovement } from './history.ts';
import {
  demoAdmin,
  demoBallots,
  demoCompany,
  demoFollows,
  demoPassword,
  demoPeople,
  type DemoPerson,
} from './people.ts';
import { demoComments, demoEngagement, demoReactions } from './responses.ts';

const parallelRequests = 12;
const mostAttempts = 20;

export type SeedOptions = {
  readonly url: string;
  /** Themselves: whoever shows their credential may log a history, have its recap built and read how far they are. */
  readonly services: {
    readonly urls: Readonly<Record<'activity' | 'scoring' | 'social', string>>;
    readonly credential: string;
  };
  readonly timeZone: string;
  readonly print: (line: string) => void;
  readonly appointAdmin: (email: string) => Promise<void>;
  readonly confirmAddresses: (emails: readonly string[]) => Promise<void>;
};

type Joined = { readonly id: string; readonly token: string };

/** By the product's own commands: every figure follows from what its people did. */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { url, services, timeZone, print, appointAdmin, confirmAddresses } = options;
  const joined: Joined[] = [];
  // One after the other: the order decides the teams (D2).
  for (const person of demoPeople) joined.push(await signUp(url, person, timeZone));
  print(`${joined.length} people have joined`);
  await confirmAddresses(demoPeople.map(({ email }) => email));
  await appointAdmin(demoAdmin.email);
  // The new role ended the session.
  joined[0] = await signIn(url, demoAdmin);
  await Promise.all([setUp(url, joined[0]), introduce(url, joined)]);
  print('the organisation is set up');
  const movements = demoHistory(demoPeople, new Date(), timeZone);
  const perPerson = joined.map(({ token }, person) => ({
    token,
    movements: movements.filter((movement) => movement.person === person),
  }));
  const waiting = perPerson.toSorted((a, b) => b.movements.length - a.movements.length);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for (const [index, movement] of next.movements.entries()) await log(services, next.token, movement, index);
  };
  await Promise.all(Array.from({ length: parallelRequests }, work));
  print(`${movements.length} movements are logged`);
  await setOff(url, joined[0], timeZone);
  await react(url, joined);
  await comment(url, joined);
  print(`${demoComments.length} comments are written`);
  await voteOnNames(url, joined);
  print('teams have voted on their names');
  await recap(options, joined);
  print('last week has its recap');
}

async function setOff(url: string, admin: Joined | undefined, timeZone: string): Promise<void> {
  if (!admin) return;
  const startsOn = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  await send('PUT', `${url}/api/journey`, { routeId: 'camino-frances', startsOn }, bearer(admin));
}

/** The set-up opened them: Thunder is still voting, and Blazers have just decided to stay what they are (D20, D26). */
async function voteOnNames(url: string, joined: readonly Joined[]): Promise<void> {
  const [admin] = joined;
  if (!admin) return;
  const ballots = await openedBallots(url, admin);
  for (const [nth, { team, isDecided }] of demoBallots.entries()) {
    const ballot = ballots.find(({ team: { name } }) => name === team);
    if (!ballot) throw new Error(`${team} has no ballot`);
    const suggested = ballot.names.map(({ name }) => name).slice(0, 2);
    const names = isDecided ? [team, ...suggested] : ballot.names.map(({ name }) => name);
    await send('PATCH', `${url}/api/ballots/${ballot.id}`, { names }, bearer(admin));
    for (const [turn, voter] of votersOf(joined, nth).entries()) {
      const vote = { teamId: ballot.team.id, chosenName: names[turn % 3 === 2 ? 1 : 0] };
      await send('POST', `${url}/api/teams/vote`, vote, bearer(voter));
    }
    if (isDecided) await send('POST', `${url}/api/ballots/${ballot.id}/close`, {}, bearer(admin));
  }
}

/** Two of three of every second person, as signing up has put them into teams (D2); Maya has not voted yet. */
const votersOf = (joined: readonly Joined[], team: number): Joined[] =>
  joined.filter((_, person) => person % demoBallots.length === team && person % 3 !== 2);

/** Once what the set-up said has arrived. */
async function openedBallots(url: string, admin: Joined): Promise<Ballot[]> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const response = await fetch(`${url}/api/ballots`, { headers: bearer(admin) });
    const ballots = response.ok ? ballotsSchema.parse(await response.json()) : [];
    if (ballots.length >= demoBallots.length) return ballots;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The demo could not be filled: its set-up opened no ballots');
}

/** Of last week, once every service knows all that was logged. */
async function recap({ url, services, timeZone }: SeedOptions, joined: readonly Joined[]): Promise<void> {
  const [admin] = joined;
  if (!admin) return;
  const headers = { ...bearer(admin), 'x-service-credential': services.credential };
  for (const service of ['activity', 'scoring', 'social'] as const) await caughtUp(services.urls[service], headers);
  const week = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  const { id } = recapSchema.parse(await send('POST', `${services.urls.social}/internal/recaps/${week}`, {}, headers));
  for (const [by, said] of demoEngagement)
    await send('POST', `${url}/api/recaps/${id}/engagement`, said, bearer(personOf(joined, by)));
}

/** Nothing waits for Kafka there, and every message of others is applied. */
async function caughtUp(service: string, headers: Record<string, string>): Promise<void> {
  for (let attempt = 1; attempt <= 3 * mostAttempts; attempt += 1) {
    const metrics = await (await fetch(`${service}/metrics`, { headers })).text();
    const waiting = [...metrics.matchAll(/^caravan_(?:outbox_rows|consumer_lag_messages)(?:\{.*\})? (.+)$/gm)];
    if (waiting.length > 0 && waiting.every(([, messages]) => Number(messages) === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The demo could not be filled: ${service} does not catch up`);
}

async function signUp(url: string, { name, email }: DemoPerson, timeZone: string): Promise<Joined> {
  const body = { name, email, password: demoPassword, timeZone };
  const { token, user } = signupAnswerSchema.parse(await send('POST', `${url}/api/signup`, body));
  return { token, id: user.id };
}

async function signIn(url: string, { email }: DemoPerson): Promise<Joined> {
  const answer = await send('POST', `${url}/api/login`, { email, password: demoPassword });
  const { token, user } = sessionAnswerSchema.parse(answer);
  return { token, id: user.id };
}

async function setUp(url: string, admin: Joined): Promise<void> {
  await send('POST', `${url}/api/company/setup`, demoCompany, bearer(admin));
  await send('POST', `${url}/api/invites`, {}, bearer(admin));
}

async function react(url: string, joined: readonly Joined[]): Promise<void> {
  const posts = await newestPosts(url, personOf(joined, demoAdmin.name), new Set(demoReactions.map(([to]) => to)));
  for (const [to, emoji, people] of demoReactions)
    for (const by of people) {
      // Asked again it is given once: it is no toggle then.
      const headers = {
        ...bearer(personOf(joined, by)),
        'idempotency-key': `demo-reaction-${to}-${emoji.codePointAt(0)}`,
      };
      await send('POST', `${url}/api/feed/react`, { movementLogId: posts.get(to), emoji }, headers);
    }
}

/** One after the other, so that they answer each other. */
async function comment(url: string, joined: readonly Joined[]): Promise<void> {
  const below = new Set(demoComments.map((one) => one.below));
  const posts = await newestPosts(url, personOf(joined, demoAdmin.name), below);
  for (const [nth, { below, by, text, mentions = [] }] of demoComments.entries()) {
    const body = { text, mentions: mentions.map((name) => personOf(joined, name).id) };
    const headers = { ...bearer(personOf(joined, by)), 'idempotency-key': `demo-comment-${nth}` };
    await send('POST', `${url}/api/feed/${posts.get(below) ?? ''}/comments`, body, headers);
  }
}

/** The id of the newest post of each, by first name, once the feed knows them all. */
async function newestPosts(url: string, reader: Joined, names: ReadonlySet<string>): Promise<Map<string, string>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const found = new Map<string, string>();
    for (let path: string | undefined = '/api/feed/all?limit=50'; path !== undefined && found.size < names.size;) {
      const page: Response = await fetch(`${url}${path}`, { headers: bearer(reader) });
      for (const { id, user } of feedSchema.parse(await page.json())) {
        const [name = ''] = user.name.split(' ');
        if (names.has(name) && !found.has(name)) found.set(name, id);
      }
      path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    if (found.size === names.size) return found;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(`The demo could not be filled: the feed has no posts of ${[...names].join(', ')}`);
}

function personOf(joined: readonly Joined[], name: string): Joined {
  const found = joined[demoPeople.findIndex((one) => `${one.name} `.startsWith(`${name} `))];
  if (!found) throw new Error(`The demo has no ${name}`);
  return found;
}

async function introduce(url: string, joined: readonly Joined[]): Promise<void> {
  for (const [nth, { profile }] of demoPeople.entries()) {
    const one = joined[nth];
    if (!profile || !one) continue;
    await send('PATCH', `${url}/api/me/profile`, profile, bearer(one));
    // Who has introduced themselves is glad to be quoted, too.
    await send('PATCH', `${url}/api/me/settings`, { privacy: { featuredInRecaps: true } }, bearer(one));
  }
  for (const [name, other] of demoFollows) {
    const [follower, followee] = [personOf(joined, name), personOf(joined, other)];
    await send('PUT', `${url}/api/users/${followee.id}/follow`, {}, bearer(follower));
  }
}

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

async function log(
  { urls, credential }: SeedOptions['services'],
  token: string,
  movement: DemoMovement,
  index: number,
): Promise<void> {
  const { activityType, durationMinutes, startedAt, photoPrompt } = movement;
  const body = { activityType, durationMinutes, startedAt, source: 'timer', ...(photoPrompt && { photoPrompt }) };
  logAnswerSchema.parse(
    await send('POST', `${urls.activity}/internal/movements`, body, {
      ...bearer({ token }),
      ...{ 'idempotency-key': `demo-${index}`, 'x-service-credential': credential },
    }),
  );
}

async function send(
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const problem = await response.text();
    const waitSeconds = Number(response.headers.get('retry-after'));
    if (waitSeconds === 0 || attempt === mostAttempts)
      throw new Error(`The demo could not be filled: ${url} answered ${response.status} ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000));
  }
}
