import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityEvents } from '@caravan/contracts/events/activity.events';
import { envelopeSchema, type PublicEventContract } from '@caravan/contracts/events/envelope';
import { identityEvents } from '@caravan/contracts/events/identity.events';
import { integrationsEvents } from '@caravan/contracts/events/integrations.events';
import { scoringEvents } from '@caravan/contracts/events/scoring.events';
import { socialEvents } from '@caravan/contracts/events/social.events';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import { root } from '../../../process/paths.ts';

export const eventsOf: Readonly<Record<ServiceName, Readonly<Record<string, PublicEventContract>>>> = {
  identity: identityEvents,
  activity: activityEvents,
  scoring: scoringEvents,
  social: socialEvents,
  integrations: integrationsEvents,
};

export const dataSchemaOf = ({ data }: PublicEventContract): Record<string, unknown> => jsonSchema(data);

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}

const samples = join(root, 'libs/contracts/samples');

function examplesOf({ type, version }: PublicEventContract): unknown[] {
  const files = readdirSync(samples).filter((file) => file.startsWith(`${type}.v${version}.`));
  return files.toSorted().map((file) => JSON.parse(readFileSync(join(samples, file), 'utf8')) as unknown);
}

const messageName = ({ type, version }: PublicEventContract): string => `${type}.v${version}`;

function messageOf(contract: PublicEventContract): Record<string, unknown> {
  const { type, version } = contract;
  const data = dataSchemaOf(contract);
  data['examples'] = examplesOf(contract);
  const own = { type: 'object', properties: { type: { const: type }, version: { const: version }, data } };
  return {
    name: messageName(contract),
    title: type,
    payload: { allOf: [{ $ref: '#/components/schemas/Envelope' }, own] },
  };
}

const contractsOf = (service: ServiceName): PublicEventContract[] => Object.values(eventsOf[service]);

function channelOf(service: ServiceName): Record<string, unknown> {
  const { name, partitions, awaitedBy } = topics[service];
  return {
    address: name,
    description: `Events that ${service} publishes, in ${partitions} partitions. Readers wait by the key of the ${awaitedBy}.`,
    messages: Object.fromEntries(
      contractsOf(service).map((contract) => [
        messageName(contract),
        { $ref: `#/components/messages/${messageName(contract)}` },
      ]),
    ),
  };
}

const operationOf = (service: ServiceName): Record<string, unknown> => ({
  action: 'send',
  channel: { $ref: `#/channels/${service}` },
  summary: `The service ${service} publishes events through its outbox.`,
});

/** The public events of all services as AsyncAPI 3.0. */
export function eventsDocument(): Record<string, unknown> {
  const all = new Map(serviceNames.flatMap(contractsOf).map((contract) => [messageName(contract), contract]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Caravan events',
      version: '0.1.0',
      description: 'Events that services publish on Kafka. Messages of one key arrive in order of their position.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(serviceNames.map((service) => [service, channelOf(service)])),
    operations: Object.fromEntries(serviceNames.map((service) => [`${service}.publish`, operationOf(service)])),
    components: {
      schemas: { Envelope: jsonSchema(envelopeSchema) },
      messages: Object.fromEntries([...all].map(([name, contract]) => [name, messageOf(contract)])),
    },
  };
}

/** The services whose consumers name a contract. */
export function consumersOf({ type }: PublicEventContract): ServiceName[] {
  const constant = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const names = new RegExp(String.raw`contract: ${constant}\b`);
  return serviceNames.filter((service) =>
    globSync(`services/${service}/src/**/*.consumer.ts`, { cwd: root }).some((file) =>
      names.test(readFileSync(join(root, file), 'utf8')),
    ),
  );
}
