import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationFile, configurationText } from './configuration.ts';

const written = readFileSync(configurationFile, 'utf8');
const rowOf = (name: string) =>
  written
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\``))
    ?.split('|')
    .slice(2, 5)
    .map((cell) => cell.trim());

test('the reference of settings is what .env.example and the schemas say: npx tsx tools/caravan/operate/write-configuration.ts', async () => {
  expect(written).toBe(await configurationText());
});

test('the reference says who reads a setting, what counts without it and what it takes', () => {
  expect(rowOf('ACCESS_TOKEN_MINUTES')).toEqual(['identity', '`60`', 'a whole number from 1 to 60']);
  expect(rowOf('PHOTO_LINKS')).toEqual(['activity', '`off`', '`off`, `public`, `any`']);
  expect(rowOf('DATABASE_URL')).toEqual(['all services', '**needed**', 'a URL']);
  expect(rowOf('SERVICE_CREDENTIAL')).toEqual(['all services, gateway', '**needed**', 'text']);
  expect(rowOf('METRICS_PORT')).toEqual(['all services, gateway', 'none', 'a whole number from 0 to 65535']);
});
