/** Registers the figures of a process; the service kit's `Metrics` is one. */
export type MetricsPort = {
  gauge(options: {
    name: string;
    help: string;
    labels?: readonly string[];
    collect: (gauge: { set(labels: Record<string, string>, value: number): void; reset(): void }) => Promise<void>;
  }): unknown;
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels: Record<string, string>, by: number): void };
  histogram(options: { name: string; help: string; labels?: readonly string[]; buckets: readonly number[] }): {
    observe(labels: Record<string, string>, value: number): void;
  };
};

export type MessagingMetrics = {
  /** The type of each fact that was handed over. */
  countRelayed(types: readonly string[]): void;
  countRefused(messages: number): void;
  observeApplied(group: string, ageSeconds: number): void;
  countParked(group: string, messages: number): void;
  countFailure(group: string, kind: string): void;
  countReplacement(group: string): void;
};

const ageBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

export function countInto(port: MetricsPort): MessagingMetrics {
  const relayed = port.counter(
    'caravan_outbox_relayed_total',
    'Facts handed to Kafka, by type: what people have done, and what followed from it.',
    ['fact'],
  );
  const refused = port.counter('caravan_outbox_refused_total', 'Messages that Kafka refused for their size.');
  const parked = port.counter('caravan_messages_parked_total', 'Messages parked by a consumer group.', ['group']);
  const failed = port.counter('caravan_batches_failed_total', 'Batches rolled back, by reason.', ['group', 'reason']);
  const replaced = port.counter(
    'caravan_consumer_replacements_total',
    'Clients of Kafka that were replaced because their consumer group had stopped without an error.',
    ['group'],
  );
  const age = port.histogram({
    name: 'caravan_message_age_seconds',
    help: 'Time from the command that caused a message until a consumer group applied it.',
    labels: ['group'],
    buckets: ageBuckets,
  });
  return {
    countRelayed: (types) => {
      for (const [fact, told] of Map.groupBy(types, String)) relayed.inc({ fact }, told.length);
    },
    countRefused: (messages) => refused.inc({}, messages),
    observeApplied: (group, ageSeconds) => age.observe({ group }, ageSeconds),
    countParked: (group, messages) => parked.inc({ group }, messages),
    countFailure: (group, reason) => failed.inc({ group, reason }, 1),
    countReplacement: (group) => replaced.inc({ group }, 1),
  };
}
