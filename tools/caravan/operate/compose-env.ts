import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { passwordVariableOf } from './operate-env.ts';
import { root } from '../process/paths.ts';
import { print, UserError } from '../process/terminal.ts';

/** They stand in addresses, so they are of signs that mean nothing there. */
const secret = (bytes = 24): string => randomBytes(bytes).toString('hex');

type Section = { readonly says: string; readonly variables: Readonly<Record<string, string>> };

export type ComposePorts = { readonly gateway: number; readonly mail: number };

const usualPorts: ComposePorts = { gateway: 8080, mail: 8081 };

/** What infra/docker-compose.yml asks for and nobody can know beforehand. */
const sections = (timeZone: string, { gateway, mail }: ComposePorts): Section[] => [
  {
    says: 'where people reach it',
    variables: { PUBLIC_URL: `http://127.0.0.1:${gateway}`, CARAVAN_PORT: String(gateway) },
  },
  {
    says: 'people who sign up without an invite join this organisation; without an id they found their own',
    variables: {
      DEFAULT_ORGANISATION_ID: randomUUIDv7(),
      DEFAULT_ORGANISATION_NAME: 'Caravan',
      DEFAULT_ORGANISATION_TIME_ZONE: timeZone,
    },
  },
  {
    says: `mails are caught and read at http://127.0.0.1:${mail}; to send them, take the profile away and name a server`,
    variables: {
      COMPOSE_PROFILES: 'mail',
      MAIL_PORT: String(mail),
      SMTP_URL: 'smtp://mail:1025',
      MAIL_FROM: 'Caravan <caravan@localhost>',
    },
  },
  {
    says: 'secrets: each its own, known nowhere else. Whoever loses the first one signs everybody out, the second disconnects every fitness platform',
    variables: {
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PROVIDER_TOKEN_KEY: randomBytes(32).toString('base64'),
      SERVICE_CREDENTIAL: secret(32),
      PHOTO_ADDRESS_KEY: secret(32),
      CURSOR_KEY: secret(32),
      POSTGRES_PASSWORD: secret(),
      POSTGRES_OWNER_PASSWORD: secret(),
      ...Object.fromEntries(serviceNames.map((name) => [passwordVariableOf(name), secret()])),
      REDIS_PASSWORD: secret(),
      S3_ACCESS_KEY: secret(10),
      S3_SECRET_KEY: secret(),
      GRAFANA_PASSWORD: secret(),
    },
  },
];

/** New secrets with every call. */
export function composeEnvText(timeZone: string, ports = usualPorts): string {
  const lines = sections(timeZone, ports).map(({ says, variables }) =>
    [`# ${says}`, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)].join('\n'),
  );
  return `# For infra/docker-compose.yml. Every setting of .env.example may be added.\n\n${lines.join('\n\n')}\n`;
}

/** Never writes over a file that is there: its passwords are those of the data. */
export function writeComposeEnv(file: string, ports = usualPorts): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  writeFileSync(file, composeEnvText(timeZone, ports), { mode: 0o600, flag: 'wx' });
  print(`Wrote ${file}`);
}

export function composeEnv(folder = root): Promise<number> {
  const file = join(folder, '.env');
  if (existsSync(file)) {
    throw new UserError(
      `${file} is there.`,
      'Its passwords open the data: move it away only together with the volumes.',
    );
  }
  writeComposeEnv(file);
  process.stdout.write('\nStart: docker compose --env-file .env -f infra/docker-compose.yml up --build --detach\n');
  return Promise.resolve(0);
}
