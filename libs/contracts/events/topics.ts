import type { FactKey, KeyHolder } from './fact-key.ts';

type Topic = {
  readonly name: string;
  readonly partitions: number;
  /** Whose key a reader waits by. Facts of other keys report no positions. */
  readonly awaitedBy: KeyHolder;
};

/** One per owning service and major version; keys (userId, orgId) order what must stay in order. */
export const topics = {
  activity: { name: 'activity.v1', partitions: 24, awaitedBy: 'person' },
  identity: { name: 'identity.v1', partitions: 12, awaitedBy: 'organisation' },
  scoring: { name: 'scoring.v1', partitions: 12, awaitedBy: 'person' },
  social: { name: 'social.v1', partitions: 12, awaitedBy: 'person' },
  integrations: { name: 'integrations.v1', partitions: 12, awaitedBy: 'person' },
} as const satisfies Record<string, Topic>;

export type Reader = { readonly userId: string; readonly orgId: string };

export function awaitedKeyOf(service: ServiceName, { userId, orgId }: Reader): FactKey {
  const { awaitedBy }: Topic = topics[service];
  return { of: awaitedBy, id: awaitedBy === 'person' ? userId : orgId };
}

export type ServiceName = keyof typeof topics;

export const serviceNames = [
  'activity',
  'identity',
  'scoring',
  'social',
  'integrations',
] as const satisfies ServiceName[];
