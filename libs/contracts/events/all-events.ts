import { activityEvents } from './activity.events.ts';
import type { PublicEventContract } from './envelope.ts';
import { identityEvents } from './identity.events.ts';
import { integrationsEvents } from './integrations.events.ts';
import { scoringEvents } from './scoring.events.ts';
import { socialEvents } from './social.events.ts';

const events: Readonly<Record<string, PublicEventContract>>[] = [
  activityEvents,
  identityEvents,
  scoringEvents,
  socialEvents,
  integrationsEvents,
];

/** Every contract once: acts are told by several services. */
export const allContracts: readonly PublicEventContract[] = [...new Set(events.flatMap((told) => Object.values(told)))];

/** Of each type, the versions that whoever reads it takes. */
export const takenVersions = (): Record<string, number[]> =>
  Object.fromEntries(
    allContracts
      .map(
        ({ type, version, earlier = [] }) =>
          [type, [...earlier.map((one) => one.version), version].toSorted((one, other) => one - other)] as const,
      )
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );
