import type { LogPosition } from '@caravan/contracts/events/log-position';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { nameOf } from '../consumer/consumer-offsets.ts';
import { partitionOf } from '../kafka/kafka.ts';
import type { TopicPartition } from '../kafka/kafka-port.ts';
import { Received, decodeRow } from '../consumer/received.ts';

export type Wanted = {
  readonly group: string;
  readonly key: string;
  readonly service: ServiceName;
  readonly position: LogPosition;
};

type Found = { readonly applied: readonly Wanted[]; readonly parked: readonly Wanted[] };
type Source = Pick<Wanted, 'group' | 'service'>;
type Counted = { readonly partitions: number; readonly until: number };

/** A topic gets more partitions only while somebody adds them. */
const countedForMs = 10_000;

/** What other processes of a service have applied, as their batches have written it down. */
export class AppliedElsewhere {
  private readonly pool: Tx;
  private readonly counted = new Map<string, Counted>();

  constructor(pool: Tx) {
    this.pool = pool;
  }

  /** `applied` tells how far these are known to be, `parked` which of them stand still. */
  async ask(wanted: readonly Wanted[]): Promise<Found> {
    // One after the other: whoever waits takes no more than one connection from those who ask.
    const recorded = await this.findRecorded(wanted);
    const parked = await this.findParked(wanted);
    const received = await this.findReceived(wanted);
    const standing = wanted.flatMap((want, nth) => (parked.has(nth + 1) ? [want] : []));
    // What is parked was received, too.
    const applied = received.filter((want) => {
      const from = parked.get(wanted.indexOf(want) + 1);
      return from === undefined || want.position.position < from;
    });
    return { applied: [...recorded, ...applied], parked: standing };
  }

  /** Where its topic has the key; undefined before anything was asked of its source. */
  placeOf({ group, service, key }: Omit<Wanted, 'position'>): TopicPartition | undefined {
    const partitions = this.counted.get(idOf({ group, service }))?.partitions ?? 0;
    return partitions === 0 ? undefined : { topic: topics[service].name, partition: partitionOf(key, partitions) };
  }

  private async findRecorded(wanted: readonly Wanted[]): Promise<Wanted[]> {
    const { rows } = await this.pool.query<Source & { key: string; epoch: number; position: number }>(
      'select consumer_group as group, key, service, epoch, position from msg.recorded_at($1, $2, $3)',
      [wanted.map(({ group }) => group), wanted.map(({ key }) => key), wanted.map(({ service }) => service)],
    );
    return rows.map(({ epoch, position, ...rest }) => ({ ...rest, position: { epoch, position } }));
  }

  /** Of which of these the key is parked, by place from one, and from which position on. */
  private async findParked(wanted: readonly Wanted[]): Promise<Map<number, number>> {
    const { rows } = await this.pool.query<{ nth: number; from: number }>(
      `select w.nth::int as nth, coalesce(min(p.position) filter (where p.service = w.service), 0) as from
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w(consumer_group, key, service, nth)
       join msg.parked p using (consumer_group, key) group by 1`,
      [wanted.map(({ group }) => group), wanted.map(({ key }) => key), wanted.map(({ service }) => service)],
    );
    return new Map(rows.map(({ nth, from }) => [nth, from]));
  }

  private async findReceived(wanted: readonly Wanted[]): Promise<Wanted[]> {
    await this.countPartitions(wanted);
    const looked = wanted.flatMap((want) => {
      const place = this.placeOf(want);
      return place ? [{ want, ...place }] : [];
    });
    if (looked.length === 0) return [];
    const stored = await this.readReceived(looked);
    const shards = await this.shardsOf(wanted.map(({ key }) => key));
    return looked.flatMap(({ want, ...place }) => {
      const received = stored.get(`${want.group} ${nameOf(place)}`);
      return received?.has(want.key, shards.get(want.key), want.position) === true ? [want] : [];
    });
  }

  private async readReceived(
    looked: readonly (TopicPartition & { readonly want: Wanted })[],
  ): Promise<Map<string, Received>> {
    const { rows } = await this.pool.query<TopicPartition & { group: string; nth: number; received: unknown }>(
      `select consumer_group as group, topic, partition_id as partition, nth, received
       from msg.received_lately($1, $2, $3)`,
      [
        looked.map(({ want }) => want.group),
        looked.map(({ topic }) => topic),
        looked.map(({ partition }) => partition),
      ],
    );
    const byPlace = Map.groupBy(rows, (row) => `${row.group} ${nameOf(row)}`);
    return new Map(
      [...byPlace].map(([place, some]) => [
        place,
        new Received(
          0,
          some.map(({ nth, received }) => decodeRow(nth, received)),
        ),
      ]),
    );
  }

  private async shardsOf(keys: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ key: string; shard: number }>(
      'select key, es.shard_of(key)::int as shard from unnest($1::text[]) as key',
      [keys],
    );
    return new Map(rows.map(({ key, shard }) => [key, shard]));
  }

  private async countPartitions(wanted: readonly Source[]): Promise<void> {
    const now = performance.now();
    const sources = wanted.filter((source) => (this.counted.get(idOf(source))?.until ?? 0) < now);
    if (sources.length === 0) return;
    const { rows } = await this.pool.query<Source & { partitions: number }>(
      `select w.consumer_group as group, w.service, max(o.partition_id) + 1 as partitions
       from unnest($1::text[], $2::text[], $3::text[]) as w(consumer_group, service, topic)
       join msg.offsets o using (consumer_group, topic) group by 1, 2`,
      [
        sources.map(({ group }) => group),
        sources.map(({ service }) => service),
        sources.map(({ service }) => topics[service].name),
      ],
    );
    for (const { partitions, ...source } of rows)
      this.counted.set(idOf(source), { partitions, until: now + countedForMs });
  }
}

const idOf = ({ group, service }: Source) => `${group} ${service}`;
