import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { sessionAnswerSchema, signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { bearer, type Joined, personOf, type SeedOptions, send } from './client.ts';
import { demoHistory, type DemoMovement } from './history.ts';
import { demoAdmin, demoCompany, demoFollows, demoPassword, demoPeople, type DemoPerson } from './people.ts';
import { demoComments } from './responses.ts';
import { movementsWithPhotos, showFaces, uploadPhoto } from './photos.ts';
import { connectStrava } from './platforms.ts';
import { comment, everythingArrived, react, recap, voteOnNames } from './together.ts';

const parallelRequests = 32;

/** By the product's own commands: every figure follows from what its people did. */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { url, timeZone, print } = options;
  const joined = await join(options);
  print(`${joined.length} people have joined`);
  await setUp(url, joined[0]);
  print('the organisation is set up');
  await Promise.all([
    introduce(url, joined),
    showFaces(url, joined),
    voteOnNames(url, joined).then(() => print('teams have voted on their names')),
    connect(options, joined),
    logHistory(options, joined),
  ]);
  await setOff(url, joined[0], timeZone);
  // Else the newest posts would not be in the feed yet.
  await everythingArrived(options, joined);
  await Promise.all([react(url, joined), comment(url, joined)]);
  print(`${demoComments.length} comments are written`);
  await recap(options, joined);
  print('last week has its recap');
}

async function join({ url, timeZone, appointAdmin, confirmAddresses }: SeedOptions): Promise<Joined[]> {
  const joined: Joined[] = [];
  // One after the other: the order decides the teams (D2).
  for (const person of demoPeople) joined.push(await signUp(url, person, timeZone));
  await Promise.all([confirmAddresses(demoPeople.map(({ email }) => email)), appointAdmin(demoAdmin.email)]);
  // The new role ended the session.
  joined[0] = await signIn(url, demoAdmin);
  return joined;
}

async function connect({ url, isStravaSimulated, print }: SeedOptions, joined: readonly Joined[]): Promise<void> {
  if (!isStravaSimulated) return;
  await connectStrava(url, joined);
  print('Omar has connected the simulated Strava');
}

/** Oldest first, many at a time: neighbours in time are mostly of different people. */
async function logHistory({ url, services, timeZone, print }: SeedOptions, joined: readonly Joined[]): Promise<void> {
  const movements = demoHistory(demoPeople, new Date(), timeZone);
  const withPhotos = movementsWithPhotos(movements);
  const waiting = movements.entries();
  const work = async () => {
    for (const [index, movement] of waiting) {
      const who = joined[movement.person];
      if (!who) throw new Error(`The demo has nobody with the number ${movement.person}`);
      const photoPath = withPhotos.has(movement) ? await uploadPhoto(url, who, movement) : undefined;
      await log(services, who.token, { ...movement, ...(photoPath !== undefined && { photoPath }) }, index);
    }
  };
  await Promise.all(Array.from({ length: parallelRequests }, work));
  print(`${movements.length} movements are logged, ${withPhotos.size} with photos`);
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

async function setUp(url: string, admin: Joined | undefined): Promise<void> {
  if (!admin) return;
  await send('POST', `${url}/api/company/setup`, demoCompany, bearer(admin));
  await send('POST', `${url}/api/invites`, {}, bearer(admin));
}

async function introduce(url: string, joined: readonly Joined[]): Promise<void> {
  const profiles = demoPeople.map(async ({ profile }, nth) => {
    const one = joined[nth];
    if (!profile || !one) return;
    await send('PATCH', `${url}/api/me/profile`, profile, bearer(one));
    // Who has introduced themselves is glad to be quoted, too.
    await send('PATCH', `${url}/api/me/settings`, { privacy: { featuredInRecaps: true } }, bearer(one));
  });
  const follows = demoFollows.map(([name, other]) => {
    const follower = personOf(joined, name);
    const followee = personOf(joined, other);
    return send('PUT', `${url}/api/users/${followee.id}/follow`, {}, bearer(follower));
  });
  await Promise.all([Promise.all(profiles), Promise.all(follows)]);
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
      'idempotency-key': `demo-${index}`,
      'x-service-credential': credential,
    }),
  );
}
