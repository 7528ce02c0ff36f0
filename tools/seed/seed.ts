import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { demoHistory, type DemoMovement } from './history.ts';
import { demoPassword, demoPeople, type DemoPerson } from './people.ts';

// As many as two cores answer at once; more would only wait.
const parallelRequests = 12;
const mostAttempts = 20;

/**
 * Fills an instance with the demo organisation through the product's own door: every figure that it shows afterwards
 * is a consequence of what its people did. The default organisation has to exist; the operator makes the admin one.
 * @param url the gateway
 * @param tell hears how far it has come
 */
export async function seedDemo(url: string, timeZone: string, tell: (line: string) => void): Promise<void> {
  const tokens: string[] = [];
  // One after the other: the order decides the teams (D2).
  for (const person of demoPeople) tokens.push(await signUp(url, person, timeZone));
  tell(`${tokens.length} people have joined`);
  const movements = demoHistory(demoPeople, new Date(), timeZone);
  // A person's movements stay in order; different people move at once.
  const perPerson = tokens.map((token, person) => ({
    token,
    movements: movements.filter((movement) => movement.person === person),
  }));
  const waiting = perPerson.toSorted((a, b) => b.movements.length - a.movements.length);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for (const [index, movement] of next.movements.entries()) await log(url, next.token, movement, index);
  };
  await Promise.all(Array.from({ length: parallelRequests }, work));
  tell(`${movements.length} movements are logged`);
}

async function signUp(url: string, { name, email }: DemoPerson, timeZone: string): Promise<string> {
  const answer = await post(`${url}/api/signup`, { name, email, password: demoPassword, timeZone });
  return signupAnswerSchema.parse(answer).token;
}

async function log(url: string, token: string, movement: DemoMovement, index: number): Promise<void> {
  const { activityType, durationMinutes, startedAt, photoPrompt } = movement;
  // What a device measured may lie further back than a week; typed entries may not (D6).
  const body = { activityType, durationMinutes, startedAt, source: 'timer', ...(photoPrompt && { photoPrompt }) };
  logAnswerSchema.parse(
    await post(`${url}/api/log`, body, { authorization: `Bearer ${token}`, 'idempotency-key': `demo-${index}` }),
  );
}

/** Asks again while the instance says that it is not ready yet. */
async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: 'POST',
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
