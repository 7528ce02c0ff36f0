import { correctLogRequestSchema, logRequestSchema } from '@caravan/contracts/http/movement';
import { fold } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import type { z } from 'zod';
import { evaluate } from '../../bonus-window/bonus.ts';
import { answerOf, commandOf, correctionOf, keptLogOf } from '../../logging/movement.service.ts';
import { movement } from '../../logging/movement.ts';
import type { MovementCommand } from '../../logging/movement.ts';
import type { Movement, MovementEvent } from '../../logging/movement-events.ts';
import { correctedTexts, type MovementTexts, noDetails, textsOf } from '../../logging/texts.ts';
import { inWords, pickedFrom } from './scenario.ts';
import type { Outcome, Scenario, Step } from './scenario.ts';

type Known = { readonly owner: string; readonly events: MovementEvent[]; texts: MovementTexts };
type Live = Extract<Movement, { is: 'live' }>;
type Requesting = Extract<Step, { asks: object }>;

/** What becomes of a request: its answer, as far as the scenario asks, or the message of its refusal. */
export type Told = { readonly answer: object } | { readonly refuses: string } | undefined;

/** Members' logs as the pure rules have them: events are kept in lists, sums are added up. */
export class ByRules {
  private readonly logs = new Map<string, Known>();
  private readonly closedAt = new Map<string, Date>();
  private readonly tells: MovementEvent['type'][] = [];
  private zone: string;

  constructor(private readonly scenario: Scenario) {
    this.zone = scenario.given.zone;
  }

  take(step: Step): Told {
    if ('closes' in step) return void this.closedAt.set(step.closes, step.at);
    if ('travelsTo' in step) return void (this.zone = step.travelsTo);
    try {
      if ('removes' in step) return this.remove(step);
      return { answer: pickedFrom('logs' in step ? this.log(step) : this.correct(step), step.answer ?? {}) };
    } catch (error) {
      if (error instanceof Rejected) return { refuses: error.message };
      throw error;
    }
  }

  outcome(): Outcome {
    const live = this.liveOf('Maya');
    const logs = live.map(([known, { log }]) => inWords(keptLogOf(log, known.texts)));
    return { total: this.centimilesOf('Maya') / 100, logs: logs.toSorted(), tells: this.tells };
  }

  private log(step: Extract<Step, { logs: string }>): object {
    const body = parseRequest(logRequestSchema, step);
    const evaluated = step.names === undefined ? {} : this.evaluateBonus(step.names, body, step);
    const member = { teamId: 'team', timeZone: this.zone, centimiles: this.centimilesOf(step.who) };
    const ids = {
      logId: step.logs,
      userId: step.who,
      bonus: evaluated.bonus,
      notCounted: null,
      reach: 'week' as const,
    };
    const known = { owner: step.who, events: [], texts: { ...noDetails, ...textsOf(body), photo: null } };
    this.logs.set(step.logs, known);
    const [logged] = this.decide(known, commandOf(body, member, ids), step.at);
    if (logged?.type !== 'MovementLogged') throw new Error('A new log is logged');
    return answerOf(logged, member, evaluated.refusal);
  }

  private correct(step: Extract<Step, { corrects: string }>): object {
    const body = parseRequest(correctLogRequestSchema, step);
    const known = this.knownOf(step.corrects, step.who);
    const after = { ...known.texts, ...correctedTexts(body, known.texts) };
    this.decide(known, correctionOf(body, { userId: step.who, before: known.texts, after }), step.at);
    known.texts = after;
    const state = fold(movement, known.events);
    return state.is === 'live' ? keptLogOf(state.log, after) : {};
  }

  private remove({ removes, who, at }: Extract<Step, { removes: string }>): undefined {
    this.decide(this.knownOf(removes, who), { type: 'RemoveMovement', userId: who }, at);
  }

  private decide(known: Known, command: MovementCommand, at: Date): readonly MovementEvent[] {
    const events = movement.decide(command, fold(movement, known.events), { by: known.owner, orgId: 'org', at });
    known.events.push(...events);
    if (known.owner === 'Maya') this.tells.push(...events.map(({ type }) => type));
    return events;
  }

  private evaluateBonus(name: string, log: z.infer<typeof logRequestSchema>, { who, at }: Requesting) {
    const challenge = this.scenario.given.bonusChallenges[name];
    if (!challenge || challenge.isOfAnotherOrganisation) return evaluate(undefined, log, at);
    const { activity: activityType, minutes: targetDurationMinutes, times: multiplier, ...times } = challenge;
    const isCompleted = this.liveOf(who).some(([, one]) => one.log.bonus?.challengeId === name);
    const terms = { challengeId: name, activityType, targetDurationMinutes, multiplier, isCompleted };
    const closedAt = this.closedAt.get(name) ?? null;
    return evaluate({ ...terms, openedAt: times.opensAt, expiresAt: times.expiresAt, closedAt }, log, at);
  }

  /** A log of somebody else is not found, as where it lies in a row. */
  private knownOf(name: string, who: string): Known {
    const known = this.logs.get(name);
    if (!known) throw new Error(`${this.scenario.file}: nobody has logged ${name} yet`);
    const isThere = known.owner === who && fold(movement, known.events).is === 'live';
    if (!isThere) throw new Rejected('movement/not-found', 'not-found', 'This log does not exist');
    return known;
  }

  private liveOf(who: string): (readonly [Known, Live])[] {
    return [...this.logs.values()].flatMap((known) => {
      const state = fold(movement, known.events);
      return known.owner === who && state.is === 'live' ? [[known, state] as const] : [];
    });
  }

  private centimilesOf = (who: string): number =>
    this.liveOf(who).reduce((sum, [, { log }]) => sum + log.centimiles, 0);
}

function parseRequest<Schema extends z.ZodType>(schema: Schema, { asks }: Requesting): z.infer<Schema> {
  const result = schema.safeParse(asks);
  if (result.success) return result.data;
  throw new Rejected('request/invalid', 'invalid', result.error.issues[0]?.message ?? '');
}
