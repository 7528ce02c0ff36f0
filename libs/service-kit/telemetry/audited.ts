import type { AuditAct } from '@caravan/contracts/domain/audit';
import type { actAudited } from '@caravan/contracts/events/audit.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { currentDevice } from './request-context.ts';

export type ActDetails = { readonly text?: string; readonly count?: number };

/** Not kept where it was done: the audit log keeps it, for a year. */
export function audited(
  act: AuditAct,
  { text, count }: ActDetails = {},
): PublicEventOf<typeof actAudited> & { readonly isKept: false } {
  const data = { act, text: text ?? null, count: count ?? null, device: currentDevice() };
  return { type: 'ActAudited', version: 1, data, isKept: false };
}
