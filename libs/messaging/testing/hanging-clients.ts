import type { ConsumerEvents, Kafka, RunningConsumer } from '../kafka/kafka-port.ts';

/** The ways in which a client may stop without an error, an end or a log line. */
export const hangs = ['never joins', 'sends no heartbeat', 'hands over no batch', 'never ends a batch'] as const;
type Hang = (typeof hangs)[number];

type HangingClients = {
  readonly kafka: Kafka;
  /** From now on the clients that are there hang, and the next `replacements` of them from their beginning. */
  hang(how: Hang, replacements?: number): void;
  readonly clients: number;
};

const never = () => new Promise<never>(() => undefined);

/** Real clients that a test can make hang. */
export function hangingClients(inner: Kafka): HangingClients {
  let begun = 0;
  let hanging: { readonly how: Hang; readonly upTo: number } | undefined;
  const consume: Kafka['consume'] = async (group, topics, events, options) => {
    begun += 1;
    const own = begun;
    const isHanging = (how: Hang) => hanging?.how === how && own <= hanging.upTo;
    if (isHanging('never joins')) return never();
    const broken: ConsumerEvents = {
      onAssigned: (...assigned) => events.onAssigned(...assigned),
      onHeartbeat: () => {
        if (!isHanging('sends no heartbeat')) events.onHeartbeat?.();
      },
      onBatch: async (batch) => {
        if (isHanging('sends no heartbeat') || isHanging('hands over no batch')) return;
        if (isHanging('never ends a batch')) await never();
        await events.onBatch(batch);
      },
    };
    const running: RunningConsumer = await inner.consume(group, topics, broken, options);
    if (isHanging('never joins')) return never();
    return running;
  };
  return {
    kafka: { ...inner, consume },
    hang: (how, replacements = 0) => (hanging = { how, upTo: begun + replacements }),
    get clients() {
      return begun;
    },
  };
}
