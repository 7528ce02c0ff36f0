import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appointAdmin, confirmAddresses } from './admin-commands.ts';
import { localVariables } from './local-instance.ts';
import type { InstanceDir } from './paths.ts';
import { print, step } from './terminal.ts';
import { readRunFile } from './instance-files.ts';

/** The first start of an instance decides. */
export type Contents = 'demo' | 'empty';

const contentsFile = (instanceDir: InstanceDir): string => join(instanceDir.data, 'contents');

export function contentsOf(instanceDir: InstanceDir): Contents | undefined {
  const file = contentsFile(instanceDir);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8') === 'demo' ? 'demo' : 'empty';
}

/** Fills an instance with the demo through the product's own API, or leaves it empty. */
export async function seedOnce(instanceDir: InstanceDir, url: string, wanted: Contents): Promise<void> {
  if (contentsOf(instanceDir) !== undefined) return;
  if (wanted === 'demo') {
    const { seedDemo } = await import('@caravan/seed/seed');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const { services: urls, serviceCredential: credential, platforms } = readRunFile(instanceDir);
    const isStravaSimulated = platforms.strava !== undefined;
    const appoint = async (email: string) => {
      if ((await appointAdmin(localVariables(instanceDir), email)) !== 0) throw new Error('The demo has no admin.');
    };
    const confirm = async (emails: readonly string[]) => {
      if ((await confirmAddresses(localVariables(instanceDir), emails)) !== 0)
        throw new Error('The demo has unconfirmed addresses.');
    };
    const operator = { appointAdmin: appoint, confirmAddresses: confirm };
    await step('The demo is there', () =>
      seedDemo({ url, services: { urls, credential }, timeZone, isStravaSimulated, print, ...operator }),
    );
  }
  writeFileSync(contentsFile(instanceDir), wanted);
}

export async function demoAccounts(): Promise<string[]> {
  const { demoPassword } = await import('@caravan/seed/people');
  const accounts = [
    ['admin@caravan.example', 'admin'],
    ['maya@caravan.example', 'member of Thunder, on a streak of 12 days'],
    ['omar@caravan.example', 'member of Blazers, has connected Strava and earned nothing yet'],
  ];
  return accounts.map(([email = '', is = '']) => `  ${email.padEnd(24)}${demoPassword}   ${is}`);
}
