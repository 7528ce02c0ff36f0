import { randomUUID } from '@caravan/contracts/testing/seeded';
import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { expect, type APIRequestContext, type APIResponse } from '@playwright/test';
import { password, stranger } from './people.ts';

export type Caller = { token: string; id: string; name: string; email: string; headers: Record<string, string> };

/** `organizationName` founds, `invite` joins. */
export async function join(request: APIRequestContext, organizationName?: string, invite?: string): Promise<Caller> {
  const { name, email } = stranger(invite === undefined ? 'Api Caller' : 'Invited Caller');
  const data = {
    name,
    email,
    password,
    timeZone: noonZone(),
    ...(organizationName !== undefined && { organizationName }),
    ...(invite !== undefined && { invite }),
  };
  const answer = await request.post('/api/signup', { data });
  expect(answer.status()).toBe(200);
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
  return { token, id: user.id, name, email, headers: { authorization: `Bearer ${token}` } };
}

/** A problem document says nothing about our insides (D4). */
export async function expectProblem(answer: APIResponse, status: number): Promise<{ code: string; message: string }> {
  const text = await answer.text();
  expect(answer.status(), text).toBe(status);
  expect(answer.headers()['content-type']).toContain('application/problem+json');
  const problem = JSON.parse(text) as { status: number; code: string; message: string };
  expect(problem.status).toBe(status);
  expect(problem.code).toMatch(/^[a-z-]+\/[a-z-]+$/);
  expect(problem.message.length).toBeGreaterThan(3);
  expect(text).not.toMatch(/\bat \/|node_modules|select |insert into|ECONN|stack/i);
  return problem;
}

export async function harbour(request: APIRequestContext): Promise<{ admin: Caller; colleague: Caller }> {
  const admin = await join(request, `Harbour ${randomUUID().slice(0, 8)}`);
  const answer = await request.post('/api/invites', { headers: admin.headers, data: {} });
  const { code } = (await answer.json()) as { code: string };
  return { admin, colleague: await join(request, undefined, code) };
}
