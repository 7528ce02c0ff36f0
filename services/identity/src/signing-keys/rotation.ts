/** standby: published, not yet used. active: signs. verify-only: signs no more, its tokens are still good. */
export type KeyState = 'standby' | 'active' | 'verify-only';

export type KeyTimes = {
  readonly kid: string;
  readonly state: KeyState;
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  /** When the last token it may have signed has expired everywhere. */
  readonly retiresAt: Date | null;
};

export type RotationSchedule = {
  readonly activeSeconds: number;
  /** How long a key must have been published before it signs: at least twice what verifiers cache. */
  readonly publishedAheadSeconds: number;
  /** How long a key verifies after it signed last: the life of a token and every clock's and cache's delay. */
  readonly verifyOnlySeconds: number;
};

export type RotationStep =
  | { readonly do: 'create'; readonly state: 'standby' | 'active' }
  | { readonly do: 'activate'; readonly kid: string }
  | { readonly do: 'retire'; readonly kid: string; readonly retiresAt: Date }
  | { readonly do: 'forget'; readonly kid: string };

/** What is due: in the order in which it must be done. Nothing, most of the time. */
export function dueSteps(keys: readonly KeyTimes[], at: Date, schedule: RotationSchedule): RotationStep[] {
  const steps: RotationStep[] = keys
    .filter(({ state, retiresAt }) => state === 'verify-only' && retiresAt !== null && retiresAt <= at)
    .map(({ kid }) => ({ do: 'forget', kid }));
  const active = keys.find(({ state }) => state === 'active');
  const standby = keys.find(({ state }) => state === 'standby');
  if (!active && !standby) return [...steps, { do: 'create', state: 'active' }, { do: 'create', state: 'standby' }];
  if (!standby) return [...steps, { do: 'create', state: 'standby' }];
  if (!active) return [...steps, { do: 'activate', kid: standby.kid }, { do: 'create', state: 'standby' }];
  const isWorn = secondsSince(active.activatedAt ?? active.createdAt, at) >= schedule.activeSeconds;
  const isKnown = secondsSince(standby.createdAt, at) >= schedule.publishedAheadSeconds;
  if (!isWorn || !isKnown) return steps;
  const retiresAt = new Date(at.getTime() + schedule.verifyOnlySeconds * 1_000);
  return [
    ...steps,
    { do: 'retire', kid: active.kid, retiresAt },
    { do: 'activate', kid: standby.kid },
    { do: 'create', state: 'standby' },
  ];
}

function secondsSince(then: Date, at: Date): number {
  return (at.getTime() - then.getTime()) / 1_000;
}
