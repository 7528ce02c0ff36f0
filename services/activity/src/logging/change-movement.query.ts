import { forgottenActivityName } from '@caravan/contracts/activities';
import type { CorrectLogRequest, OwnLog } from '@caravan/contracts/http/movement';
import type { PersonUnit } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import { correctedTexts, correctionOf, ownLogOf } from './correct-request.ts';
import { hasOwnTexts } from './log-request.ts';
import { loggingMember } from './member.query.ts';
import { movementStream } from './movement-stream.ts';
import type { MovementTexts } from './public-events.ts';

/** Corrects a log of the unit's member. Throws `Rejected`: not-found for a log that is not theirs, invalid by the rules. */
export async function correctMovement(unit: PersonUnit, logId: string, body: CorrectLogRequest): Promise<OwnLog> {
  const userId = unit.meta.key.id;
  await loggingMember(unit);
  const before = await textsOfLog(unit, logId);
  const after = correctedTexts(body, before);
  const command = correctionOf(body, { userId, before, after });
  const { state } = await unit.handle(movementStream, logId, command, after);
  if (state.is !== 'live') throw new Error('A log that was corrected is there');
  if (command.changesTexts) await writeTexts(unit, logId, after);
  return ownLogOf(state.log, after);
}

/** Takes a log of the unit's member back, with what was typed about it. Throws `Rejected` like a correction. */
export async function removeMovement(unit: PersonUnit, logId: string): Promise<void> {
  await loggingMember(unit);
  const texts = await textsOfLog(unit, logId);
  await unit.handle(movementStream, logId, { type: 'RemoveMovement', userId: unit.meta.key.id }, texts);
  await unit.tx.query('delete from movement_texts where org_id = $1 and log_id = $2', [unit.meta.orgId, logId]);
}

async function textsOfLog({ tx, meta }: PersonUnit, logId: string): Promise<MovementTexts> {
  const { rows } = await tx.query<MovementTexts>(
    `select coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as "activityType",
       t.caption, t.location
     from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
     where l.org_id = $1 and l.log_id = $2 and l.user_id = $3`,
    [meta.orgId, logId, meta.key.id],
  );
  if (!rows[0]) throw new Rejected('movement/not-found', 'not-found', 'This log does not exist');
  return rows[0];
}

async function writeTexts({ tx, meta }: PersonUnit, logId: string, texts: MovementTexts): Promise<void> {
  const { activityType, caption, location } = texts;
  if (!hasOwnTexts(texts)) {
    await tx.query('delete from movement_texts where org_id = $1 and log_id = $2', [meta.orgId, logId]);
    return;
  }
  await tx.query(
    `insert into movement_texts (org_id, log_id, user_id, activity_type, caption, location)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, caption = excluded.caption,
       location = excluded.location`,
    [meta.orgId, logId, meta.key.id, activityType, caption, location],
  );
}
