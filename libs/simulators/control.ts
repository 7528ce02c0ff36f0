import { z } from 'zod';
import type { Delivery, DeliveryOptions } from './deliveries.ts';
import { type Fault, faultSchema } from './faults.ts';
import { type Answer, type Asked, jsonOf } from './simulator.ts';
import { type Changes, changesSchema, type NewWorkout, type SimulatedWorkout, workoutSchema } from './workouts.ts';

/** What a test or somebody who tries it out does in place of the people at the platform. */
export type Controlled = {
  addWorkout(workout: NewWorkout): SimulatedWorkout;
  changeWorkout(id: string, changes: Changes): SimulatedWorkout | undefined;
  deleteWorkout(id: string): SimulatedWorkout | undefined;
  /** The person withdraws at the platform what they allowed. */
  revoke(person: string): boolean;
  /** As if the access tokens' time had passed. */
  expireTokens(person: string): void;
  setFault(fault: Fault | undefined): void;
  deliver(options?: DeliveryOptions): Promise<readonly Delivery[]>;
  listWorkouts(): readonly SimulatedWorkout[];
  listDeliveries(): readonly Delivery[];
};

const personSchema = z.object({ person: z.string() });
const deliverSchema = z.object({
  copies: z.number().int().min(1).max(20).optional(),
  order: z.enum(['as-happened', 'reversed', 'shuffled']).optional(),
});

const jsonAnswer = (json: unknown): Answer =>
  json === undefined || json === false
    ? { status: 404, json: { message: 'Nobody and nothing of that name' } }
    : { json };

type Endpoint = (it: Controlled, asked: { readonly given: unknown; readonly id: string }) => Promise<Answer> | Answer;

const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /simulator/workouts': (it) => ({ json: it.listWorkouts() }),
  'POST /simulator/workouts': (it, { given }) => ({ status: 201, json: it.addWorkout(workoutSchema.parse(given)) }),
  'PATCH /simulator/workouts': (it, { id, given }) => jsonAnswer(it.changeWorkout(id, changesSchema.parse(given))),
  'DELETE /simulator/workouts': (it, { id }) => jsonAnswer(it.deleteWorkout(id)),
  'PUT /simulator/fault': (it, { given }) => {
    it.setFault(given === null ? undefined : faultSchema.parse(given));
    return { json: {} };
  },
  'POST /simulator/revocations': (it, { given }) => jsonAnswer(it.revoke(personSchema.parse(given).person)),
  'POST /simulator/expiries': (it, { given }) => {
    it.expireTokens(personSchema.parse(given).person);
    return { json: {} };
  },
  'GET /simulator/deliveries': (it) => ({ json: it.listDeliveries() }),
  'POST /simulator/deliveries': async (it, { given }) => {
    const { copies = 1, order = 'as-happened' } = deliverSchema.parse(given ?? {});
    return { json: await it.deliver({ copies, order }) };
  },
};

/** Takes JSON alone, which no page of elsewhere can send without asking first. */
export function control(it: Controlled, { method, path, headers, body }: Asked): Promise<Answer> | Answer {
  const [, name = '', id = ''] = /^(\/simulator\/[a-z]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const endpoint = endpoints[`${method} ${name}`];
  if (!endpoint) return { status: 404, json: { message: 'No such endpoint', endpoints: Object.keys(endpoints) } };
  if (method !== 'GET' && headers['content-type']?.startsWith('application/json') !== true)
    return { status: 415, json: { message: 'JSON, please' } };
  try {
    return endpoint(it, { given: jsonOf(body), id });
  } catch (error) {
    return { status: 422, json: { message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) } };
  }
}
