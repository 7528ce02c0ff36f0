import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import {
  workoutImported as importedContract,
  workoutRetracted as retractedContract,
} from '@caravan/contracts/events/integrations.events';
import type { Telling } from './telling.ts';

type Retracted = Pick<Extract<Telling, { is: 'retracted' }>, 'logId' | 'goneAt'> & {
  readonly why: PublicEventOf<typeof retractedContract>['data']['why'];
};

export function workoutRetracted(
  userId: string,
  { logId, why, goneAt }: Retracted,
  at: Date,
): PublicEventOf<typeof retractedContract> {
  const data = retractedContract.data.parse({ logId, userId, why, retractedAt: at.toISOString(), goneAt });
  return { type: 'WorkoutRetracted', version: 1, data };
}

export function workoutImported(
  userId: string,
  { told, content, creditableAt }: Extract<Telling, { is: 'imported' }>,
  at: Date,
): PublicEventOf<typeof importedContract> {
  const data = importedContract.data.parse({
    ...content,
    logId: told.logId,
    userId,
    revision: told.revision,
    importedAt: at.toISOString(),
    creditableAt: creditableAt.toISOString(),
  });
  return { type: 'WorkoutImported', version: 1, data };
}
