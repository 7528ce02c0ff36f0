import { z } from 'zod';

const signupSchema = z.object({ token: z.string(), user: z.object({ id: z.string() }) });
const logSchema = z.object({ id: z.string() });

export type Member = { readonly id: string; readonly email: string; readonly token: string; acknowledged: string[] };

export const password = 'Caravan-2026!';

const patienceMilliseconds = 15_000;
const givenUpAfterMilliseconds = 120_000;

export async function foundOrganisation(url: string, members: number): Promise<Member[]> {
  const run = crypto.randomUUID().slice(0, 8);
  const people: Member[] = [];
  for (let index = 0; index < members; index += 1) {
    const email = `chaos-${run}-${index}@example.org`;
    const body = { name: `Chaos ${index}`, email, password };
    const answer = await send(`${url}/api/signup`, body, {});
    const { token, user } = signupSchema.parse(await answer.json());
    people.push({ id: user.id, email, token, acknowledged: [] });
  }
  return people;
}

/**
 * Asks again with the same Idempotency-Key until answered; only then it counts as acknowledged. Answers what it was told,
 * each time.
 */
export async function logOnce(url: string, member: Member, key: string, durationMinutes: number): Promise<string[]> {
  const told: string[] = [];
  const deadline = Date.now() + givenUpAfterMilliseconds;
  const body = { activityType: 'Walking', durationMinutes };
  const headers = { authorization: `Bearer ${member.token}`, 'idempotency-key': key };
  for (;;) {
    const answer = await send(`${url}/api/log`, body, headers).catch(() => undefined);
    const status = answer?.status;
    told.push(status === undefined ? 'no answer' : String(status));
    if (answer?.ok) {
      member.acknowledged.push(logSchema.parse(await answer.json()).id);
      return told;
    }
    await answer?.body?.cancel();
    // A fault of ours may last a while; a refusal would last for ever.
    if (status !== undefined && status < 500 && status !== 429) throw new Error(`logging was refused with ${status}`);
    if (Date.now() > deadline)
      throw new Error(`no answer to a log within ${givenUpAfterMilliseconds / 1000} s (last ${status})`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function send(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMilliseconds),
  });
}
