import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { timeZoneSchema } from '@caravan/contracts/fields';
import { runAdminCommand } from '@caravan/messaging/admin-command';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { Operator } from './accounts/operator.client.ts';
import { OrganisationProvisioner } from './accounts/organisation-provisioner.client.ts';
import { AppModule } from './app.module.ts';
import { Addresses } from './ports.ts';
import type { IdentityEnv } from './env.ts';
import { Erasing } from './leaving/erasing.client.ts';
import { streamKinds } from './stream-kinds.ts';

const options = {
  'found-default': { type: 'string' },
  'time-zone': { type: 'string', default: 'UTC' },
  'appoint-admin': { type: 'string' },
  'close-organisation': { type: 'string' },
  'confirm-address': { type: 'string', multiple: true },
} as const;

/** Handles whatever an operator may ask of identity. Answers the exit code, or undefined when nothing is asked. */
export function runIdentityCommand(args: readonly string[], env: IdentityEnv): Promise<number | undefined> {
  const handle = () => handleAdminCommand(args, env);
  return runAdminCommand(args, { env, module: AppModule.forRoot(env), kinds: streamKinds, handle });
}

/**
 * Handles `--found-default NAME [--time-zone ZONE]`, `--appoint-admin EMAIL`, `--confirm-address EMAIL` (as often as need
 * be) and `--close-organisation ID`; all may be repeated without harm. False when the command line names none. Throws
 * with a message that says what is wrong.
 */
export async function handleAdminCommand(args: readonly string[], env: IdentityEnv): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options });
  const { 'found-default': name, 'appoint-admin': email, 'time-zone': zone, 'close-organisation': orgId } = values;
  const addresses = values['confirm-address'] ?? [];
  if ([name, email, orgId, ...addresses].every((word) => word === undefined)) return false;
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(env), { logger: ['error', 'fatal'] });
  try {
    if (name !== undefined)
      await foundDefault(app.get(OrganisationProvisioner), env, { name, timeZone: timeZoneSchema.parse(zone) });
    const found = await Promise.all(
      addresses.map((address) => app.get<Addresses>(Addresses).vouchFor(address, new Date())),
    );
    if (email !== undefined) found.push(await app.get(Operator).appointAdmin(email, new Date()));
    if (found.includes(false)) throw new Error('Nobody has signed up with this address');
    if (orgId !== undefined) await app.get(Erasing).closeForOperator(z.uuid().parse(orgId), new Date());
  } finally {
    await app.close();
  }
  return true;
}

async function foundDefault(
  provisioner: OrganisationProvisioner,
  env: IdentityEnv,
  naming: { name: string; timeZone: string },
): Promise<void> {
  const orgId = env.DEFAULT_ORGANISATION_ID;
  if (orgId === undefined) throw new Error('DEFAULT_ORGANISATION_ID is not set');
  await provisioner.provision(orgId, naming, new Date());
}
