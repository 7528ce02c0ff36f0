import { z } from 'zod';
import { patiently } from '../patiently.ts';
import type { Product } from '../product.ts';

const sessionSchema = z.object({ token: z.string() });
const atATime = 4;

async function post<Body>(url: string, body: object, schema: z.ZodType<Body>, token?: string): Promise<Body> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await patiently(() => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return schema.parse(await answer.json());
}

type Person = { readonly name: string; readonly email: string; readonly password: string; readonly invite: string };

/** Of a sign-up that was answered too late the account is there all the same. */
const join = (url: string, person: Person) =>
  post(`${url}/api/signup`, person, sessionSchema).catch((error: unknown) =>
    post(`${url}/api/login`, person, sessionSchema).catch(() => {
      throw error;
    }),
  );

export async function company({ url }: Product, members: number): Promise<string[]> {
  const run = crypto.randomUUID().slice(0, 8);
  const person = (index: number) => ({
    name: `Herd ${index}`,
    email: `herd-${run}-${index}@example.org`,
    password: 'Caravan-2026!',
  });
  const founder = { ...person(0), organizationName: `Herd ${run}` };
  const { token } = await post(`${url}/api/signup`, founder, sessionSchema);
  const { code: invite } = await post(`${url}/api/invites`, {}, z.object({ code: z.string() }), token);
  const tokens = [token];
  for (let index = 1; index < members; index += atATime) {
    const those = Array.from({ length: Math.min(atATime, members - index) }, (_, nth) => person(index + nth));
    const joined = those.map((each) => join(url, { ...each, invite }));
    tokens.push(...(await Promise.all(joined)).map((session) => session.token));
  }
  return tokens;
}
