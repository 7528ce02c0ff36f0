import type { AuditAct } from '@caravan/contracts/audit';
import type { actAudited } from '@caravan/contracts/audit.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import { currentDevice } from './request-context.ts';

export type ActDetails = { readonly text?: string; readonly count?: number };

export function audited(act: AuditAct, { text, count }: ActDetails = {}): PublicEventOf<typeof actAudited> {
  const data = { act, text: text ?? null, count: count ?? null, device: currentDevice() };
  return { type: 'ActAudited', version: 1, data };
}
