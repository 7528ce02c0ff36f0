import { activityEvents } from '@caravan/contracts/events/activity.events';
import { type PublicEventContract, envelopeSchema } from '@caravan/contracts/events/envelope';
import { identityEvents, memberErased } from '@caravan/contracts/events/identity.events';
import { integrationsEvents } from '@caravan/contracts/events/integrations.events';
import { scoringEvents } from '@caravan/contracts/events/scoring.events';
import { socialEvents } from '@caravan/contracts/events/social.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { z } from 'zod';
import type { Decoded } from './consumer.ts';

export type Erased = { readonly orgId: string; readonly userId: string };

const contracts: Readonly<Record<string, PublicEventContract>> = {
  ...identityEvents,
  ...activityEvents,
  ...scoringEvents,
  ...socialEvents,
  ...integrationsEvents,
};

/** Whom a message says to forget, also one that is broken or parked. */
export function erasedBy({ envelope }: Decoded): Erased | undefined {
  if (envelope?.type !== memberErased.type) return undefined;
  const data = memberErased.data.safeParse(envelope.data);
  return data.success ? { orgId: envelope.orgId, userId: data.data.userId } : undefined;
}

/** Forgets people in what stands still and in kept answers, for now and for what is parked later. */
export async function erasePersonalData(tx: Tx, erased: readonly Erased[]): Promise<void> {
  const userIds = erased.map(({ userId }) => userId);
  await tx.query('insert into msg.erased (user_id) select unnest($1::uuid[]) on conflict do nothing', [userIds]);
  await tx.query(
    `delete from es.requests r using unnest($1::uuid[], $2::text[]) as e(org_id, owner)
     where (r.org_id, r.owner) = (e.org_id, e.owner)`,
    [erased.map(({ orgId }) => orgId), userIds],
  );
  await scrubParked(tx, userIds);
  await scrubRefused(tx, userIds);
}

export async function erasedAmong(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const ids = userIds.filter((id) => z.uuid().safeParse(id).success);
  if (ids.length === 0) return [];
  const { rows } = await tx.query<{ userId: string }>(
    'select user_id from msg.erased where user_id = any($1::uuid[])',
    [ids],
  );
  return rows.map(({ userId }) => userId);
}

/** Takes personal data out of parked messages; ids and figures stay, so that they can be applied. */
export async function scrubParked(tx: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { rows } = await tx.query<{ id: number; key: string; value: Buffer | null }>(
    `select parked_id as id, key, value from msg.parked
     where key = any($1) or exists (select from unnest($1::text[]) u where position(convert_to(u, 'UTF8') in value) > 0)
     order by parked_id for update`,
    [userIds],
  );
  const scrubbed = rows.flatMap(({ id, key, value }) => {
    const text = scrubbedMessage(String(value ?? ''), key, userIds);
    return text === undefined ? [] : [{ id, value: text === null ? null : Buffer.from(text) }];
  });
  if (scrubbed.length === 0) return;
  // A reason may quote what could not be read.
  await tx.query(
    `update msg.parked p set value = s.value, error_message = 'Personal data of an erased member was removed.'
     from unnest($1::bigint[], $2::bytea[]) as s(id, value) where p.parked_id = s.id`,
    [scrubbed.map(({ id }) => id), scrubbed.map(({ value }) => value)],
  );
}

async function scrubRefused(tx: Tx, userIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ shard: number; pos: number; type: string; data: object }>(
    `select shard, pos, type, data from es.refused
     where data ->> 'userId' = any($1) or data::jsonb -> 'namedIds' ?| $1`,
    [userIds],
  );
  if (rows.length === 0) return;
  await tx.query(
    `update es.refused r set data = s.data from unnest($1::smallint[], $2::bigint[], $3::json[]) as s(shard, pos, data)
     where (r.shard, r.pos) = (s.shard, s.pos)`,
    [
      rows.map(({ shard }) => shard),
      rows.map(({ pos }) => pos),
      rows.map(({ type, data }) => JSON.stringify(withoutWords(data, contracts[type]))),
    ],
  );
}

const versionsOf = ({ version, earlier = [] }: PublicEventContract): number[] => [
  version,
  ...earlier.map((one) => one.version),
];

/** An earlier version of a message lacks some of what today's may tell, and goes on lacking it. */
function withoutWords(data: object, contract: PublicEventContract | undefined): object {
  const words = Object.entries(contract?.forgotten ?? {}).filter(([field]) => field in data);
  return { ...data, ...Object.fromEntries(words) };
}

/** Whom a message is about, and whose names stand in its words. */
const aboutSchema = z.object({ userId: z.string().optional(), namedIds: z.array(z.string()).optional() });

/** Null when no contract tells what is personal in it, undefined when it is not theirs. */
function scrubbedMessage(text: string, key: string, userIds: readonly string[]): string | null | undefined {
  const envelope = envelopeOf(text);
  const contract = envelope && contracts[envelope.type];
  if (!envelope || !contract || !versionsOf(contract).includes(envelope.version)) return null;
  const { userId = key, namedIds = [] } = aboutSchema.safeParse(envelope.data).data ?? {};
  if (![userId, ...namedIds].some((id) => userIds.includes(id))) return undefined;
  if (!contract.forgotten) return undefined;
  return JSON.stringify({ ...envelope, data: withoutWords(envelope.data as object, contract) });
}

function envelopeOf(text: string) {
  try {
    return envelopeSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
