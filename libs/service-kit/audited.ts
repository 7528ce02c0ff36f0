import type { AuditAct } from '@caravan/contracts/audit';
import type { actAudited } from '@caravan/contracts/audit.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import { currentDevice } from './request-context.ts';

/** What is told of an act beside who did it and when: the product's own words, never what a person typed. */
export type ActDetails = { readonly text?: string; readonly count?: number };

/** The fact that brings an act of the request at hand into the audit log; publish it where the act is committed. */
export function audited(act: AuditAct, { text, count }: ActDetails = {}): PublicEventOf<typeof actAudited> {
  const data = { act, text: text ?? null, count: count ?? null, device: currentDevice() };
  return { type: 'ActAudited', version: 1, data };
}
