import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appointAdmin, confirmAddresses } from './operate.ts';
import type { Home } from './paths.ts';
import { say, step } from './progress.ts';
import { readRunFile } from './run-file.ts';

/** What this instance holds: the demo, or nothing of ours. Its first start decides. */
export type Contents = 'demo' | 'empty';

const contentsFile = (home: Home): string => join(home.data, 'contents');

/** What an earlier start has put into this instance; undefined at its first start. */
export function contentsOf(home: Home): Contents | undefined {
  const file = contentsFile(home);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8') === 'demo' ? 'demo' : 'empty';
}

/** At the first start of an instance fills it with the demo through the product's own API, or leaves it empty. */
export async function seedOnce(home: Home, url: string, wanted: Contents): Promise<void> {
  if (contentsOf(home) !== undefined) return;
  if (wanted === 'demo') {
    const { seedDemo } = await import('@caravan/seed/seed');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const { services, serviceCredential: credential } = readRunFile(home);
    const activity = { url: services.activity, credential };
    const appoint = async (email: string) => {
      if ((await appointAdmin(home, email)) !== 0) throw new Error('The demo has no admin.');
    };
    const confirm = async (emails: readonly string[]) => {
      if ((await confirmAddresses(home, emails)) !== 0) throw new Error('The demo has unconfirmed addresses.');
    };
    const operator = { appointAdmin: appoint, confirmAddresses: confirm };
    await step('The demo is there', () => seedDemo({ url, activity, timeZone, tell: say, ...operator }));
  }
  writeFileSync(contentsFile(home), wanted);
}

/** How a person gets into the demo. */
export async function demoAccounts(): Promise<string[]> {
  const { demoPassword } = await import('@caravan/seed/people');
  const accounts = [
    ['admin@caravan.example', 'admin'],
    ['maya@caravan.example', 'member of Thunder, on a streak of 12 days'],
    ['omar@caravan.example', 'member of Blazers, has not logged yet'],
  ];
  return accounts.map(([email = '', is = '']) => `  ${email.padEnd(24)}${demoPassword}   ${is}`);
}
