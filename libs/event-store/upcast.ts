import type { Upcasters } from './event-store.ts';

/** The schema version in which events of a type are recorded today: 1 more than its steps. */
export function currentVersion(upcasters: Upcasters | undefined, type: string): number {
  return stepsOf(upcasters, type).length + 1;
}

/**
 * Lifts recorded data from its schema version to today's, one step at a time. Throws for a version that this code does
 * not know yet: an older process met an event of a newer one, and reading it wrongly would be worse than not at all.
 */
export function upcast(
  upcasters: Upcasters | undefined,
  recorded: { readonly type: string; readonly schemaVersion: number; readonly data: unknown },
): unknown {
  const { type, schemaVersion, data } = recorded;
  const steps = stepsOf(upcasters, type);
  if (schemaVersion < 1 || schemaVersion > steps.length + 1)
    throw new Error(`${type} is recorded in schema version ${schemaVersion}, this code knows 1 to ${steps.length + 1}`);
  return steps.slice(schemaVersion - 1).reduce((lifted, step) => step(lifted), data);
}

const none: Upcasters[string] = [];

function stepsOf(upcasters: Upcasters | undefined, type: string): Upcasters[string] {
  return upcasters && Object.hasOwn(upcasters, type) ? (upcasters[type] ?? none) : none;
}
