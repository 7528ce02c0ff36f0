/** The only list of Kafka topics: one per owning service and major version. Keys order what must stay in order. */
export const topics = {
  /** Key: userId. */
  activity: { name: 'activity.v1', partitions: 24 },
  /** Key: orgId. */
  identity: { name: 'identity.v1', partitions: 12 },
  /** Key: userId; orgId for what belongs to all (challenges, the journey). */
  scoring: { name: 'scoring.v1', partitions: 12 },
  /** Key: the id of the subject (a post, a ballot). */
  social: { name: 'social.v1', partitions: 12 },
  /** Key: userId. */
  integrations: { name: 'integrations.v1', partitions: 12 },
} as const;

/** A service that owns a topic, a database and a prefix of the API. */
export type ServiceName = keyof typeof topics;

export const serviceNames = [
  'activity',
  'identity',
  'scoring',
  'social',
  'integrations',
] as const satisfies ServiceName[];
