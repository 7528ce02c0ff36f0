import { join } from 'node:path';
import type { App } from './consent.ts';
import { type Controlled, control } from './control.ts';
import { Deliveries, type DeliveryOptions } from './deliveries.ts';
import type { Fault } from './faults.ts';
import { type Grant, Grants } from './grants.ts';
import { type Answer, type Asked, Kept, type ServerOptions, SimulatorServer } from './simulator.ts';
import { type Changes, type NewWorkout, type SimulatedWorkout, Workouts } from './workouts.ts';

export type PlatformOptions = ServerOptions & {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly callbackOrigin?: string;
  /** Tells of a change at once; otherwise when `deliver` is called. */
  readonly isAutomatic?: boolean;
  /** Before a delivery that was not taken is tried again. */
  readonly pauseMilliseconds?: number;
  readonly now?: () => number;
  /** Where it keeps what it knows; without one that ends with the process. */
  readonly folder?: string;
};

type Nature = {
  readonly name: string;
  readonly accessSeconds: number;
  readonly isRotating: boolean;
  readonly idOf: (nth: number) => string;
  readonly attempts: number;
  readonly isTaken: (status: number) => boolean;
};

type State = { grants: Grant[]; workouts: SimulatedWorkout[]; nth: number };
export type Change = 'create' | 'update' | 'delete';

/** What the simulated platforms share: people, their workouts, what they allowed, and telling of changes. */
export abstract class Platform implements Controlled {
  readonly name: string;
  readonly app: App;
  readonly grants: Grants;
  readonly now: () => number;
  protected readonly workouts: Workouts;
  protected readonly deliveries: Deliveries;
  private readonly kept: Kept<State>;
  private readonly isAutomatic: boolean;
  private running: SimulatorServer | undefined;

  constructor(nature: Nature, options: PlatformOptions) {
    const { folder, now = Date.now, pauseMilliseconds = 1_000, isAutomatic = false, callbackOrigin } = options;
    const { clientId = '4711', clientSecret = `secret-of-the-app-at-${nature.name}` } = options;
    this.name = nature.name;
    this.app = { clientId, clientSecret, callbackOrigin };
    this.now = now;
    this.isAutomatic = isAutomatic;
    this.grants = new Grants({ accessSeconds: nature.accessSeconds, isRotating: nature.isRotating, now });
    this.workouts = new Workouts(nature.idOf, now);
    const { attempts, isTaken } = nature;
    this.deliveries = new Deliveries({ attempts, timerMilliseconds: 2_000, pauseMilliseconds, isTaken });
    this.kept = new Kept(folder === undefined ? undefined : join(folder, `${nature.name}.json`));
    const state = this.kept.read();
    this.grants.all = state?.grants ?? [];
    this.workouts.all = state?.workouts ?? [];
    this.workouts.nth = state?.nth ?? 0;
  }

  protected abstract answer(asked: Asked): Answer | Promise<Answer>;
  protected abstract tell(workout: SimulatedWorkout, change: Change): void;
  protected abstract tellRevoked(person: string): void;
  abstract deliver(options?: DeliveryOptions): ReturnType<Controlled['deliver']>;

  async start(options: ServerOptions): Promise<this> {
    this.running = await SimulatorServer.start(async (asked) => {
      const isControl = asked.path.startsWith('/simulator');
      const answer = await (isControl ? control(this, asked) : this.answer(asked));
      this.save();
      return answer;
    }, options);
    return this;
  }

  async close(): Promise<void> {
    this.deliveries.close();
    await this.server.close();
  }

  get server(): SimulatorServer {
    if (!this.running) throw new Error('It has not been started');
    return this.running;
  }

  get url(): string {
    return this.server.url;
  }

  addWorkout(workout: NewWorkout): SimulatedWorkout {
    const added = this.workouts.add(workout);
    this.tellOf(added, 'create');
    return added;
  }

  changeWorkout(id: string, changes: Changes): SimulatedWorkout | undefined {
    const changed = this.workouts.change(id, changes);
    if (changed) this.tellOf(changed, 'update');
    return changed;
  }

  deleteWorkout(id: string): SimulatedWorkout | undefined {
    const deleted = this.workouts.delete(id);
    if (deleted) this.tellOf(deleted, 'delete');
    return deleted;
  }

  revoke(person: string): boolean {
    const isRevoked = this.grants.revokeAllOf(person);
    if (isRevoked) {
      this.tellRevoked(person);
      this.afterTelling();
    }
    return isRevoked;
  }

  expireTokens(person: string): void {
    this.grants.expire(person);
    this.save();
  }

  setFault(fault: Fault | undefined): void {
    this.server.faults.set(fault);
  }

  listWorkouts(): readonly SimulatedWorkout[] {
    return this.workouts.all;
  }

  listDeliveries() {
    return this.deliveries.done;
  }

  /** Nobody is told of those who have allowed nothing. */
  private tellOf(workout: SimulatedWorkout, change: Change): void {
    if (this.grants.all.some(({ person }) => person === workout.person)) this.tell(workout, change);
    this.afterTelling();
  }

  private afterTelling(): void {
    this.save();
    if (this.isAutomatic) void this.deliver();
  }

  private save(): void {
    this.kept.write({ grants: this.grants.all, workouts: this.workouts.all, nth: this.workouts.nth });
  }
}
