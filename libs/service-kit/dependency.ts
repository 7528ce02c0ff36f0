import { setTimeout as pause } from 'node:timers/promises';
import { Rejected } from '@caravan/event-store/rejected';
import { BrokenCircuitError, CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Metrics } from './metrics.ts';

/** Something outside the process did not answer in time, or is known not to: 503, try again. */
export class Unanswered extends Rejected {
  /** @param name of the dependency; for operators, people read the message */
  constructor(readonly dependency: string) {
    const message = 'This part of Caravan does not answer right now. Please try again in a few seconds.';
    super('service/unanswered', 'unavailable', message, { retryAfterSeconds: 2 });
  }
}

/** It has answered, though not as it should have: nobody waits for that, so no breaker opens. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Whether a dependency is asked: `closed` it is, `open` it is not, `half-open` one call finds out. */
export type BreakerState = 'closed' | 'half-open' | 'open';

export type DependencyOptions = {
  /** As operators read it: `redis`, `postgres`. */
  readonly name: string;
  /** How long one call may take. */
  readonly budgetMilliseconds: number;
  /** So many calls in a row must fail until nobody asks any more; 3 unless said otherwise. */
  readonly failures?: number;
  /** How long it is left alone before one call finds out whether it is back; 500 unless said otherwise. */
  readonly probeAfterMilliseconds?: number;
  /** Errors that mean that it is away; any other one is an answer. All unless said otherwise. */
  readonly isAway?: (error: unknown) => boolean;
  /** Asked in place of people's calls to find out whether it is back; see `suspect`. */
  readonly probe?: () => Promise<unknown>;
};

const names: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

/**
 * The one way to something that may hang: a time budget for each call, and a breaker that ends the waiting. After a few
 * calls in vain the next ones fail at once, until one of them, or a probe, was answered.
 */
export class Dependency {
  readonly name: string;
  /** Hears of each call that was given up because its time was over. */
  onOverrun: () => void = () => undefined;
  private readonly options: DependencyOptions;
  private readonly breaker;
  private readonly probeAfterMilliseconds: number;
  private asking: Promise<boolean> | undefined;
  private held: { dispose(): void } | undefined;

  constructor(options: DependencyOptions) {
    const { name, failures = options.probe ? 1 : 3, probeAfterMilliseconds = 500, isAway = () => true } = options;
    this.name = name;
    this.options = options;
    this.probeAfterMilliseconds = probeAfterMilliseconds;
    this.breaker = circuitBreaker(
      handleWhen((error) => !(error instanceof BadAnswer) && isAway(error)),
      {
        halfOpenAfter: probeAfterMilliseconds,
        breaker: new ConsecutiveBreaker(failures),
      },
    );
  }

  get state(): BreakerState {
    return names[this.breaker.state];
  }

  /** The refusal for who would wait in vain; undefined while it may be asked. */
  refusal(): Unanswered | undefined {
    return this.breaker.state === CircuitState.Closed ? undefined : new Unanswered(this.name);
  }

  /** One call within the budget. Throws `Unanswered` when the time is over, and at once while nobody asks. */
  async call<Result>(
    work: (budgetMilliseconds: number) => Promise<Result>,
    budgetMilliseconds = this.options.budgetMilliseconds,
  ): Promise<Result> {
    // Who comes while one call finds out does not wait for its outcome.
    if (this.breaker.state === CircuitState.HalfOpen) throw new Unanswered(this.name);
    try {
      return await this.breaker.execute(() =>
        inTime(
          () => work(budgetMilliseconds),
          budgetMilliseconds,
          () => this.givenUp(),
        ),
      );
    } catch (error) {
      throw error instanceof BrokenCircuitError ? new Unanswered(this.name) : error;
    }
  }

  /**
   * Somebody waited in vain: the probe tells whether it hangs or was only slow. While it hangs nobody asks, and the probe
   * is repeated, one at a time.
   */
  suspect(): void {
    this.onOverrun();
    void this.isAlive();
  }

  /** Asks the probe now, once for all who want to know. */
  isAlive(): Promise<boolean> {
    const { probe } = this.options;
    const isClosed = this.breaker.state === CircuitState.Closed;
    if (!probe || !isClosed) return Promise.resolve(isClosed);
    return (this.asking ??= this.ask(probe).finally(() => (this.asking = undefined)));
  }

  /** For what tells by itself whether it is there, such as a connection: nobody asks until it is. */
  hold(isAway: boolean): void {
    if (isAway) this.held ??= this.breaker.isolate();
    else {
      this.held?.dispose();
      this.held = undefined;
    }
  }

  private async ask(probe: () => Promise<unknown>): Promise<boolean> {
    const isAlive = await this.isAnswered(probe);
    if (!isAlive) void this.untilAlive(probe);
    return isAlive;
  }

  private async untilAlive(probe: () => Promise<unknown>): Promise<void> {
    while (this.breaker.state !== CircuitState.Closed) {
      await pause(this.probeAfterMilliseconds, undefined, { ref: false });
      await this.isAnswered(probe);
    }
  }

  private isAnswered(probe: () => Promise<unknown>): Promise<boolean> {
    const asked = this.breaker.execute(() =>
      inTime(probe, this.options.budgetMilliseconds, () => new Unanswered(this.name)),
    );
    return asked.then(
      () => true,
      () => false,
    );
  }

  private givenUp(): Unanswered {
    this.onOverrun();
    return new Unanswered(this.name);
  }
}

async function inTime<Result>(work: () => Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds).unref();
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What this process depends on, for its figures. */
export class Dependencies {
  private readonly all = new Set<Dependency>();
  private readonly overruns;

  constructor(metrics: Metrics) {
    metrics.gauge({
      name: 'caravan_breaker_state',
      help: 'Whether a dependency is asked: 0 yes, 1 one call finds out, 2 no, since it does not answer.',
      labels: ['dependency'],
      collect: (gauge) => {
        for (const { name } of this.all) gauge.set({ dependency: name }, figures[this.worst(name)]);
      },
    });
    this.overruns = metrics.counter(
      'caravan_budget_overruns_total',
      'Calls that were given up because their time was over.',
      ['dependency'],
    );
  }

  /** Shows a dependency in the figures; several of one name are shown as one. */
  of(options: DependencyOptions): Dependency {
    const dependency = new Dependency(options);
    const overruns = this.overruns.labels({ dependency: dependency.name });
    dependency.onOverrun = () => overruns.inc();
    this.all.add(dependency);
    return dependency;
  }

  private worst(name: string): BreakerState {
    const states = [...this.all].filter((one) => one.name === name).map(({ state }) => state);
    return (['open', 'half-open'] as const).find((state) => states.includes(state)) ?? 'closed';
  }
}

const figures: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 };
