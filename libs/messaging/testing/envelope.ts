import { randomUUID } from '@caravan/contracts/testing/seeded';
/** A well-formed envelope with whatever a test wants to be wrong about it. */
export function envelope(key: string, position: number, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: randomUUID(),
    type: 'Counted',
    version: 1,
    orgId: '00000000-0000-7000-8000-0000000000a0',
    key,
    position,
    positions: { activity: position },
    occurredAt: new Date().toISOString(),
    actorId: null,
    data: { n: position },
    ...rest,
  });
}
