import { randomInt } from '@caravan/contracts/testing/seeded';
import { expect, type Page } from '@playwright/test';
import { target } from './env.ts';

/** As the product calls them, and as their simulators are named. */
const simulators = { Strava: 'strava', Fitbit: 'googleHealth' } as const;
export type PlatformName = keyof typeof simulators;

/** What a newcomer at a simulated platform has done lately earns. */
export const milesOfNewcomer = '16.1';
export const workoutsOfNewcomer = 4;

export const newcomer = (): string => String(randomInt(100_000_000, 999_999_999));

function addressOf(platform: PlatformName): string {
  const address = target().platforms[simulators[platform]];
  if (address === undefined) throw new Error(`${platform} is not simulated here.`);
  return address;
}

/** Does what people do at the platform itself. */
async function at(platform: PlatformName, path: string, given: object): Promise<void> {
  const body = JSON.stringify(given);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${addressOf(platform)}/simulator/${path}`, { method: 'POST', headers, body });
  expect(answer.ok, await answer.text()).toBe(true);
}

export const workOut = (platform: PlatformName, person: string, workout: { type: string; movingSeconds: number }) =>
  at(platform, 'workouts', { person, startedAt: new Date(Date.now() - 2 * 3_600_000).toISOString(), ...workout });

export const revoke = (platform: PlatformName, person: string) => at(platform, 'revocations', { person });

/** From the platform's own page back to ours. */
export async function answerAt(platform: PlatformName, page: Page, person: string, answer: 'Authorize' | 'Cancel') {
  await expect(page.getByRole('note')).toContainText('This page simulates');
  expect(new URL(page.url()).origin).toBe(addressOf(platform));
  await page.getByLabel(/^Your number/).fill(person);
  await page.getByRole('button', { name: answer }).click();
}
