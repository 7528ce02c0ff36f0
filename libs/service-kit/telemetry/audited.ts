import type { AuditAct } from '@caravan/contracts/domain/audit';
import type { actAudited } from '@caravan/contracts/events/audit.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { currentDevice } from './request-context.ts';

export type ActDetails = { readonly text?: string; readonly count?: number };

/**
 * The public event of an audited act. It stands here and in no feature's `public-events.ts` because every service publishes
 * the same one, with the device of the request. The publisher does not keep it: the audit log does, for a year.
 */
export function auditedAct(
  act: AuditAct,
  { text, count }: ActDetails = {},
): PublicEventOf<typeof actAudited> & { readonly isKept: false } {
  const data = { act, text: text ?? null, count: count ?? null, device: currentDevice() };
  return { type: 'ActAudited', version: 1, data, isKept: false };
}
