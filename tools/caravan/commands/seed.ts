import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appointAdmin, confirmAddresses } from '../operate/admin-commands.ts';
import { localVariables } from '../operate/local-instance.ts';
import type { InstanceDir } from '../process/paths.ts';
import { print, step } from '../process/terminal.ts';
import { readRunFile } from '../servers/instance-files.ts';

/** The first start of an instance decides. */
export type Contents = 'demo' | 'empty';

/** Stands in the file until the demo is complete. */
const unfinished = 'unfinished demo';

const contentsFile = (instanceDir: InstanceDir): string => join(instanceDir.data, 'contents');

const recordedProgress = (instanceDir: InstanceDir): string | undefined => {
  const file = contentsFile(instanceDir);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

const record = (instanceDir: InstanceDir, contents: string): void =>
  writeFileSync(contentsFile(instanceDir), contents, { mode: 0o600 });

export function contentsOf(instanceDir: InstanceDir): Contents | undefined {
  const contents = recordedProgress(instanceDir);
  if (contents === undefined) return undefined;
  return contents === 'empty' ? 'empty' : 'demo';
}

/** Whether an earlier start was stopped while it filled the demo: half of it is there, and cannot be continued. */
export const isUnfinished = (instanceDir: InstanceDir): boolean => recordedProgress(instanceDir) === unfinished;

/** Fills an instance with the demo through the product's own API, or leaves it empty. */
export async function seedOnce(instanceDir: InstanceDir, url: string, wanted: Contents): Promise<void> {
  if (contentsOf(instanceDir) !== undefined) return;
  if (wanted === 'demo') {
    record(instanceDir, unfinished);
    await step('The demo is there', () => fillDemo(instanceDir, url));
  }
  record(instanceDir, wanted);
}

async function fillDemo(instanceDir: InstanceDir, url: string): Promise<void> {
  const { seedDemo } = await import('@caravan/seed/seed');
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { services: urls, serviceCredential: credential, platforms } = readRunFile(instanceDir);
  await seedDemo({
    url,
    services: { urls, credential },
    timeZone,
    isStravaSimulated: platforms.strava !== undefined,
    print,
    appointAdmin: async (email) => {
      if ((await appointAdmin(localVariables(instanceDir), email)) !== 0) throw new Error('The demo has no admin.');
    },
    confirmAddresses: async (emails) => {
      if ((await confirmAddresses(localVariables(instanceDir), emails)) !== 0)
        throw new Error('The demo has unconfirmed addresses.');
    },
  });
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
