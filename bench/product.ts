import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const runSchema = z.object({
  url: z.string(),
  postgres: z.record(z.string(), z.string()),
  postgresOwner: z.string(),
  kafka: z.array(z.string()),
  redis: z.string(),
  services: z.record(z.string(), z.string()),
  serviceCredential: z.string(),
  /** Where they are simulated. */
  platforms: z.object({ googleHealth: z.string().optional() }),
  pids: z.record(z.string(), z.number()),
});

export type Product = z.infer<typeof runSchema>;

export const root = resolve(import.meta.dirname, '..');

/** `./caravan bench` starts it. Throws when it does not run. */
export function runningProduct(): Product {
  const file = process.env['CARAVAN_RUN_FILE'] ?? join(root, '.caravan/run.json');
  if (!existsSync(file)) throw new Error('Nothing to measure: run `./caravan bench`, or `./caravan up` beside this.');
  return runSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The processes that are ours, beside the servers. */
export const ours = ['identity', 'activity', 'scoring', 'social', 'integrations', 'gateway'] as const;

export function pidOf(product: Product, name: string): number {
  const pid = product.pids[name];
  if (pid === undefined) throw new Error(`The product has no process ${name}: ${Object.keys(product.pids).join(', ')}`);
  return pid;
}

export type Account = { readonly email: string; readonly password: string; readonly token: string };

const password = 'Caravan-2026!';

/** The first of them founds an organisation of their own. */
export async function signUpAccounts(product: Product, count: number): Promise<Account[]> {
  const run = crypto.randomUUID().slice(0, 8);
  const accounts: Account[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `bench-${run}-${index}@example.org`;
    const body = { name: `Bench ${index}`, email, password, ...(index === 0 && { organizationName: `Bench ${run}` }) };
    const answer = await fetch(`${product.url}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
    const { token } = z.object({ token: z.string() }).parse(await answer.json());
    accounts.push({ email, password, token });
  }
  return accounts;
}

export async function signUpPeople(product: Product, count: number): Promise<string[]> {
  return (await signUpAccounts(product, count)).map(({ token }) => token);
}
