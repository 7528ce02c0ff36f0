import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { timeZoneSchema } from '@caravan/contracts/events/fields';
import { EventStore } from '@caravan/event-store/core/event-store';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { OrganisationProvisioner } from '../accounts/index.ts';
import { AddressService } from '../addresses/index.ts';
import { recordAct } from '../audit/index.ts';
import type { IdentityEnv } from '../env.ts';
import { ErasureService } from '../leaving/index.ts';
import { credentialOf } from '../credentials/index.ts';
import { appointAdmin } from '../membership/index.ts';
import { SessionService } from '../sessions/index.ts';

const options = {
  'found-default': { type: 'string' },
  'time-zone': { type: 'string', default: 'UTC' },
  'appoint-admin': { type: 'string' },
  'close-organisation': { type: 'string' },
  'confirm-address': { type: 'string', multiple: true },
} as const;

/**
 * `--found-default NAME [--time-zone ZONE]`, `--appoint-admin EMAIL`, `--confirm-address EMAIL…`, `--close-organisation
 * ID`, repeatable without harm. False when none is named.
 */
export async function handleAdminCommand(
  args: readonly string[],
  { env, module }: { readonly env: IdentityEnv; readonly module: DynamicModule },
): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options });
  const { 'found-default': name, 'appoint-admin': email, 'time-zone': zone, 'close-organisation': orgId } = values;
  const addresses = values['confirm-address'] ?? [];
  if ([name, email, orgId, ...addresses].every((word) => word === undefined)) return false;
  const app = await NestFactory.createApplicationContext(module, { logger: ['error', 'fatal'] });
  try {
    if (name !== undefined)
      await foundDefault(app.get(OrganisationProvisioner), env, { name, timeZone: timeZoneSchema.parse(zone) });
    const found = await Promise.all(addresses.map((address) => app.get(AddressService).vouchFor(address, new Date())));
    if (email !== undefined) found.push(await app.get(Operator).appointAdmin(email, new Date()));
    if (found.includes(false)) throw new Error('Nobody has signed up with this address');
    if (orgId !== undefined) await app.get(ErasureService).closeForOperator(z.uuid().parse(orgId), new Date());
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

/** For whoever runs the instance, from its command line. */
@Injectable()
export class Operator {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** They sign in again. False when nobody has this address. */
  async appointAdmin(email: string, at: Date): Promise<boolean> {
    const person = await credentialOf(this.pool, emailKeyOf(email));
    if (!person) return false;
    const { orgId, userId, role } = person;
    if (role === 'admin' && person.mayEnter) return true;
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    await this.store.transaction(meta, async (unit) => {
      await appointAdmin(unit, userId);
      await recordAct(unit, 'operator.admin-appointed', { subjectId: userId });
    });
    this.live.publish(orgId, ['members', 'teams', 'people']);
    await this.sessions.endAllOf(person, 'role-changed', at);
    return true;
  }
}
