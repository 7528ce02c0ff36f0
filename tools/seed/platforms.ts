import { connectAnswerSchema } from '@caravan/contracts/http/fitness';
import { answerConsent } from '@caravan/simulators/consent';
import { bearer, type Joined, personOf } from './client.ts';

const athlete = '27182818';

/** As Omar would in a browser: to Strava, which is simulated, and back. His workouts earn nothing: he has not ticked that. */
export async function connectStrava(url: string, joined: readonly Joined[]): Promise<void> {
  const omar = personOf(joined, 'Omar');
  const asked = await fetch(`${url}/api/fitness/strava/auth?from=settings`, { headers: bearer(omar) });
  if (!asked.ok) throw new Error(`Nobody is sent to Strava: ${asked.status} ${await asked.text()}`);
  const { authUrl } = connectAnswerSchema.parse(await asked.json());
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const back = await answerConsent(authUrl, { person: athlete, isNew: true });
  const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
  const location = answer.headers.get('location') ?? '';
  if (!location.includes('connected=strava')) throw new Error(`Strava is not connected: ${answer.status} ${location}`);
}
