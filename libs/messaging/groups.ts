import { type ServiceName, serviceNames, topics } from '@caravan/contracts/topics';
import type { BatchContext, Consumed, Subscription } from './consumer.ts';

/** One method marked with `@Consumes`. */
export type Handler = {
  readonly subscription: Subscription;
  handle(event: Consumed, context: BatchContext): Promise<unknown>;
};

/** The handlers of one group for one topic: by type, then by version. */
export type Handlers = ReadonlyMap<string, ReadonlyMap<number, Handler>>;

/** Everything that consumes under one name. */
export type Group = {
  readonly name: string;
  readonly topics: readonly { readonly name: string; readonly service: ServiceName; readonly handlers: Handlers }[];
  readonly locksKeys: boolean;
  /** Services whose facts show in what this group writes: its own topics' and those it reflects. */
  readonly follows: ReadonlySet<ServiceName>;
};

/** Sorts handlers into groups. Throws when two of them take the same type and version in the same group. */
export function groupsOf(handlers: readonly Handler[]): Group[] {
  const names = [...new Set(handlers.map(({ subscription }) => subscription.group))];
  return names.map((name) => {
    const members = handlers.filter(({ subscription }) => subscription.group === name);
    const services = serviceNames.filter((service) =>
      members.some(({ subscription }) => subscription.from === service),
    );
    return {
      name,
      topics: services.map((service) => ({
        name: topics[service].name,
        service,
        handlers: byType(members.filter(({ subscription }) => subscription.from === service)),
      })),
      locksKeys: members.some(({ subscription }) => subscription.locksKeys === true),
      follows: new Set([...services, ...members.flatMap(({ subscription }) => subscription.reflects ?? [])]),
    };
  });
}

function byType(handlers: readonly Handler[]): Handlers {
  const types = new Map<string, Map<number, Handler>>();
  for (const handler of handlers) {
    const { group, from, contract } = handler.subscription;
    const versions = types.get(contract.type) ?? new Map<number, Handler>();
    if (versions.has(contract.version)) {
      throw new Error(`Group ${group} has two handlers for ${contract.type} v${contract.version} of ${from}.`);
    }
    types.set(contract.type, versions.set(contract.version, handler));
  }
  return types;
}
