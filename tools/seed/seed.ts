import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { sessionAnswerSchema, signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { demoHistory, type DemoMovement } from './history.ts';
import { demoAdmin, demoCompany, demoFollows, demoPassword, demoPeople, type DemoPerson } from './people.ts';

const parallelRequests = 12;
const mostAttempts = 20;

export type SeedOptions = {
  readonly url: string;
  /** Itself: it takes a history older than a week from whoever shows the service credential. */
  readonly activity: { readonly url: string; readonly credential: string };
  readonly timeZone: string;
  readonly print: (line: string) => void;
  readonly appointAdmin: (email: string) => Promise<void>;
  readonly confirmAddresses: (emails: readonly string[]) => Promise<void>;
};

type Joined = { readonly id: string; readonly token: string };

/** By the product's own commands: every figure follows from what its people did. */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { url, activity, timeZone, print, appointAdmin, confirmAddresses } = options;
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
      for (const [index, movement] of next.movements.entries()) await log(activity, next.token, movement, index);
  };
  await Promise.all(Array.from({ length: parallelRequests }, work));
  print(`${movements.length} movements are logged`);
  await setOff(url, joined[0], timeZone);
}

async function setOff(url: string, admin: Joined | undefined, timeZone: string): Promise<void> {
  if (!admin) return;
  const startsOn = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  await send('PUT', `${url}/api/journey`, { routeId: 'camino-frances', startsOn }, bearer(admin));
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

async function introduce(url: string, joined: readonly Joined[]): Promise<void> {
  const named = (name: string) => joined[demoPeople.findIndex((person) => person.name.startsWith(`${name} `))];
  for (const [nth, { profile }] of demoPeople.entries()) {
    const one = joined[nth];
    if (profile && one) await send('PATCH', `${url}/api/me/profile`, profile, bearer(one));
  }
  for (const [name, other] of demoFollows) {
    const [follower, followee] = [named(name), named(other)];
    if (!follower || !followee) throw new Error(`${name} cannot follow ${other}: the demo does not have both`);
    await send('PUT', `${url}/api/users/${followee.id}/follow`, {}, bearer(follower));
  }
}

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

async function log(
  { url, credential }: SeedOptions['activity'],
  token: string,
  movement: DemoMovement,
  index: number,
): Promise<void> {
  const { activityType, durationMinutes, startedAt, photoPrompt } = movement;
  const body = { activityType, durationMinutes, startedAt, source: 'timer', ...(photoPrompt && { photoPrompt }) };
  logAnswerSchema.parse(
    await send('POST', `${url}/internal/movements`, body, {
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
