import { setTimeout as pause } from 'node:timers/promises';
import { type Ballot, ballotsSchema } from '@caravan/contracts/http/ballots';
import { feedSchema } from '@caravan/contracts/http/feed';
import { recapSchema } from '@caravan/contracts/http/recaps';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { bearer, type Joined, personOf, type SeedOptions, send } from './client.ts';
import { demoAdmin, demoBallots } from './people.ts';
import { demoComments, demoEngagement, demoReactions } from './responses.ts';

/** A message that has not arrived after a minute will not arrive. */
const lookMilliseconds = 250;
const mostLooks = 240;

/**
 * The set-up opened them. Blazers have just decided to stay what they are, and vote again since: whichever team a
 * newcomer joins, its ballot is open (D20, D26).
 */
export async function voteOnNames(url: string, joined: readonly Joined[]): Promise<void> {
  const [admin] = joined;
  if (!admin) return;
  const ballots = await ballotsOnce(url, admin, (opened) => opened.length >= demoBallots.length);
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
    if (!isDecided) continue;
    await send('POST', `${url}/api/ballots/${ballot.id}/close`, {}, bearer(admin));
    await ballotsOnce(url, admin, (all) => all.some(({ id, state }) => id === ballot.id && state === 'decided'));
    await send('POST', `${url}/api/teams/${ballot.team.id}/ballots`, {}, bearer(admin));
  }
}

/** Two of three of every second person, as signing up has put them into teams (D2); Maya has not voted yet. */
const votersOf = (joined: readonly Joined[], team: number): Joined[] =>
  joined.filter((_, person) => person % demoBallots.length === team && person % 3 !== 2);

/** The ballots as admins see them, once what was said before has arrived. */
async function ballotsOnce(
  url: string,
  admin: Joined,
  hasArrived: (ballots: readonly Ballot[]) => boolean,
): Promise<Ballot[]> {
  for (let attempt = 1; attempt <= mostLooks; attempt += 1) {
    const response = await fetch(`${url}/api/ballots`, { headers: bearer(admin) });
    const ballots = response.ok ? ballotsSchema.parse(await response.json()) : [];
    if (hasArrived(ballots)) return ballots;
    await pause(lookMilliseconds);
  }
  throw new Error('The demo could not be filled: its ballots do not come');
}

/** Of last week, once every service knows all that was logged. */
export async function recap(options: SeedOptions, joined: readonly Joined[]): Promise<void> {
  const [admin] = joined;
  if (!admin) return;
  const { url, services, timeZone } = options;
  await everythingArrived(options, joined);
  const headers = { ...bearer(admin), 'x-service-credential': services.credential };
  const week = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  const { id } = recapSchema.parse(await send('POST', `${services.urls.social}/internal/recaps/${week}`, {}, headers));
  for (const [by, said] of demoEngagement)
    await send('POST', `${url}/api/recaps/${id}/engagement`, said, bearer(personOf(joined, by)));
}

/** Nothing waits for Kafka in any service, and every message of others is applied. */
export async function everythingArrived({ services }: SeedOptions, joined: readonly Joined[]): Promise<void> {
  const [admin] = joined;
  if (!admin) return;
  const headers = { ...bearer(admin), 'x-service-credential': services.credential };
  for (const service of ['activity', 'scoring', 'social'] as const) await caughtUp(services.urls[service], headers);
}

async function caughtUp(service: string, headers: Record<string, string>): Promise<void> {
  for (let attempt = 1; attempt <= mostLooks; attempt += 1) {
    const metrics = await (await fetch(`${service}/metrics`, { headers })).text();
    const waiting = [...metrics.matchAll(/^caravan_(?:outbox_rows|consumer_lag_messages)(?:\{.*\})? (.+)$/gm)];
    if (waiting.length > 0 && waiting.every(([, messages]) => Number(messages) === 0)) return;
    await pause(lookMilliseconds);
  }
  throw new Error(`The demo could not be filled: ${service} does not catch up`);
}

export async function react(url: string, joined: readonly Joined[]): Promise<void> {
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
export async function comment(url: string, joined: readonly Joined[]): Promise<void> {
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
  for (let attempt = 1; attempt <= mostLooks; attempt += 1) {
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
    await pause(lookMilliseconds);
  }
  throw new Error(`The demo could not be filled: the feed has no posts of ${[...names].join(', ')}`);
}
