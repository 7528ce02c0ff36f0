import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { sessionAnswerSchema, signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { bearer, type Joined, personOf, type SeedOptions, send } from './client.ts';
import { demoHistory, type DemoMovement } from './history.ts';
import { demoAdmin, demoCompany, demoFollows, demoPassword, demoPeople, type DemoPerson } from './people.ts';
import { demoComments } from './responses.ts';
import { photographed, showFaces, uploadPhoto } from './photos.ts';
import { connectStrava } from './platforms.ts';
import { comment, react, recap, voteOnNames } from './together.ts';

const parallelRequests = 12;

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
  const withPhotos = photographed(movements);
  const perPerson = joined.map((who, person) => ({
    who,
    movements: movements.filter((movement) => movement.person === person),
  }));
  const waiting = perPerson.toSorted((a, b) => b.movements.length - a.movements.length);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for (const [index, movement] of next.movements.entries()) {
        const photoPath = withPhotos.has(movement) ? await uploadPhoto(url, next.who, movement) : undefined;
        await log(services, next.who.token, { ...movement, ...(photoPath !== undefined && { photoPath }) }, index);
      }
  };
  await Promise.all(Array.from({ length: parallelRequests }, work));
  print(`${movements.length} movements are logged, ${withPhotos.size} with photos`);
  await showFaces(url, joined);
  await setOff(url, joined[0], timeZone);
  await react(url, joined);
  await comment(url, joined);
  print(`${demoComments.length} comments are written`);
  await voteOnNames(url, joined);
  print('teams have voted on their names');
  await recap(options, joined);
  print('last week has its recap');
  if (options.isStravaSimulated) {
    await connectStrava(url, joined);
    print('Omar has connected the simulated Strava');
  }
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

async function log(
  { urls, credential }: SeedOptions['services'],
  token: string,
  { person: _, startedAt, ...movement }: DemoMovement & { readonly photoPath?: string },
  index: number,
): Promise<void> {
  const body = { ...movement, startedAt, source: 'timer' };
  logAnswerSchema.parse(
    await send('POST', `${urls.activity}/internal/movements`, body, {
      ...bearer({ token }),
      ...{ 'idempotency-key': `demo-${index}`, 'x-service-credential': credential },
    }),
  );
}
