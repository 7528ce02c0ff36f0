import type { FactKey, KeyHolder } from './fact-key.ts';

type Topic = {
  readonly name: string;
  readonly partitions: number;
  /** By which key a reader waits for this service's positions; null: nobody can. Facts of other keys report none. */
  readonly awaitedBy: KeyHolder | null;
};

/** The only list of Kafka topics: one per owning service and major version. Keys order what must stay in order. */
export const topics = {
  /** Key: userId. */
  activity: { name: 'activity.v1', partitions: 24, awaitedBy: 'person' },
  /** Key: orgId. */
  identity: { name: 'identity.v1', partitions: 12, awaitedBy: 'organisation' },
  /** Key: userId; orgId for what belongs to all (challenges, the journey). */
  scoring: { name: 'scoring.v1', partitions: 12, awaitedBy: 'person' },
  /** Key: the id of the subject (a post, a ballot). */
  social: { name: 'social.v1', partitions: 12, awaitedBy: null },
  /** Key: userId. */
  integrations: { name: 'integrations.v1', partitions: 12, awaitedBy: 'person' },
} as const satisfies Record<string, Topic>;

/** Whose reads may be made to wait for facts. */
export type Reader = { readonly userId: string; readonly orgId: string };

/** The key by which a reader waits for a service's positions; undefined where nobody can. */
export function awaitedKeyOf(service: ServiceName, { userId, orgId }: Reader): FactKey | undefined {
  const { awaitedBy }: Topic = topics[service];
  if (awaitedBy === null) return undefined;
  return { of: awaitedBy, id: awaitedBy === 'person' ? userId : orgId };
}

/** A service that owns a topic, a database and a prefix of the API. */
export type ServiceName = keyof typeof topics;

export const serviceNames = [
  'activity',
  'identity',
  'scoring',
  'social',
  'integrations',
] as const satisfies ServiceName[];
