import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import { routeOfId } from './position.ts';

export type JourneyEvent =
  | { type: 'JourneyStarted'; data: { journeyId: string; routeId: string; startsOn: string; startedAt: string } }
  | {
      type: 'CheckpointReached';
      /** `checkpoint` counts from the start of the route, which is 0. */
      data: { journeyId: string; routeId: string; teamId: string; checkpoint: number; reachedAt: string };
    };

type Start = { journeyId: string; routeId: string; startsOn: string; startedAt: string };
export type Arrival = { readonly teamId: string; readonly checkpoint: number; readonly reachedAt: string };

export type JourneyCommand =
  | ({ type: 'BeginJourney' } & Start)
  | ({ type: 'StartJourney'; today: string } & Start)
  | { type: 'NoteArrivals'; journeyId: string; arrivals: readonly Arrival[] };

// Nobody goes back (D33).

export type Journeying =
  { is: 'at-home' } | { is: 'travelling'; journeyId: string; routeId: string; startsOn: string; reached: Reached };
type Reached = Readonly<Record<string, readonly number[]>>;

export const journey: Decider<Journeying, JourneyCommand, JourneyEvent> = {
  category: 'journey',
  initial: { is: 'at-home' },

  decide(command, state) {
    switch (command.type) {
      case 'BeginJourney':
        return state.is === 'at-home' ? [startEvent(command)] : [];
      case 'StartJourney':
        return start(command, state);
      case 'NoteArrivals':
        return arrive(command, state);
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'JourneyStarted': {
        const { journeyId, routeId, startsOn } = data;
        return { is: 'travelling', journeyId, routeId, startsOn, reached: {} };
      }
      case 'CheckpointReached': {
        // Stryker disable next-line StringLiteral,ConditionalExpression: at home there is no id of a journey to be the same.
        if (state.is === 'at-home' || state.journeyId !== data.journeyId) return state;
        const before = state.reached[data.teamId] ?? [];
        return { ...state, reached: { ...state.reached, [data.teamId]: [...before, data.checkpoint] } };
      }
    }
  },
};

function start(command: Extract<JourneyCommand, { type: 'StartJourney' }>, state: Journeying): JourneyEvent[] {
  const { routeId, startsOn, today } = command;
  if (!routeOfId(routeId)) throw new Rejected('journey/unknown-route', 'invalid', 'Choose a route');
  if (startsOn > today)
    throw new Rejected('journey/starts-in-the-future', 'invalid', 'The journey cannot start in the future');
  // Stryker disable next-line ConditionalExpression: at home there is no route to be the same.
  const isSame = state.is === 'travelling' && state.routeId === routeId && state.startsOn === startsOn;
  return isSame ? [] : [startEvent(command)];
}

function startEvent({ journeyId, routeId, startsOn, startedAt }: Start): JourneyEvent {
  return { type: 'JourneyStarted', data: { journeyId, routeId, startsOn, startedAt } };
}

function arrive(
  { journeyId, arrivals }: Extract<JourneyCommand, { type: 'NoteArrivals' }>,
  state: Journeying,
): JourneyEvent[] {
  // Stryker disable next-line StringLiteral,ConditionalExpression: at home there is no id of a journey to be the same.
  if (state.is === 'at-home' || state.journeyId !== journeyId) return [];
  const { routeId, reached } = state;
  const known = new Set(Object.entries(reached).flatMap(([teamId, all]) => all.map((nth) => `${teamId} ${nth}`)));
  return arrivals.flatMap(({ teamId, checkpoint, reachedAt }) => {
    const key = `${teamId} ${checkpoint}`;
    if (known.has(key)) return [];
    known.add(key);
    return [{ type: 'CheckpointReached', data: { journeyId, routeId, teamId, checkpoint, reachedAt } } as const];
  });
}
