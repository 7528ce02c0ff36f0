import { setTimeout as pause } from 'node:timers/promises';
import { Rejected } from '@caravan/kernel/rejected';
import { BrokenCircuitError, CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Metrics } from '../telemetry/metrics.ts';

export class Unanswered extends Rejected {
  /** `wasAsked`: false when the breaker was open, so that nothing was tried. */
  constructor(
    readonly dependency: string,
    readonly wasAsked = false,
  ) {
    const message = 'This part of Caravan does not answer right now. Please try again in a few seconds.';
    super('service/unanswered', 'unavailable', message, { retryAfterSeconds: 2 });
  }
}

/** It has answered, though badly: nobody waits for that, so no breaker opens. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

export type BreakerState = 'closed' | 'half-open' | 'open';

export type DependencyOptions = {
  readonly name: string;
  readonly budgetMilliseconds: number;
  readonly failures?: number;
  readonly probeAfterMilliseconds?: number;
  readonly isAway?: (error: unknown) => boolean;
  /** Asked again and again while the breaker is open; with one, a single failure opens it unless `failures` says more. */
  readonly probe?: () => Promise<unknown>;
};

const names: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

/** A time budget for each call, and a breaker: after calls in vain the next ones fail at once. */
export class Dependency {
  readonly name: string;
  onOverrun: () => void = () => undefined;
  /** Called when the breaker closes. */
  onRestored: () => void = () => undefined;
  private readonly options: DependencyOptions;
  private readonly breaker;
  private readonly probeAfterMilliseconds: number;
  private asking: Promise<boolean> | undefined;
  private probe: DependencyOptions['probe'];
  private held: { dispose(): void } | undefined;
  private isProbing = false;

  constructor(options: DependencyOptions) {
    const { name, failures = options.probe ? 1 : 3, probeAfterMilliseconds = 500, isAway = () => true } = options;
    this.name = name;
    this.options = options;
    this.probe = options.probe;
    this.probeAfterMilliseconds = probeAfterMilliseconds;
    this.breaker = circuitBreaker(
      handleWhen((error) => !(error instanceof BadAnswer) && isAway(error)),
      {
        halfOpenAfter: probeAfterMilliseconds,
        breaker: new ConsecutiveBreaker(failures),
      },
    );
    this.breaker.onStateChange((state) => this.recordState(state));
  }

  get state(): BreakerState {
    return names[this.breaker.state];
  }

  refusal(): Unanswered | undefined {
    return this.breaker.state === CircuitState.Closed ? undefined : new Unanswered(this.name);
  }

  /** Throws `Unanswered` when the time is over, and at once while the breaker is open. */
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

  /** Somebody waited in vain: the probe tells whether it hangs or was only slow. */
  suspect(): void {
    this.onOverrun();
    void this.isAlive();
  }

  isAlive(): Promise<boolean> {
    const { probe } = this;
    const isClosed = this.breaker.state === CircuitState.Closed;
    if (!probe || !isClosed) return Promise.resolve(isClosed);
    return (this.asking ??= this.isAnswered(probe).finally(() => (this.asking = undefined)));
  }

  /** Sets the probe of a client that is created after its dependency. */
  probeWith(probe: () => Promise<unknown>): void {
    this.probe = probe;
  }

  hold(isAway: boolean): void {
    if (isAway) this.held ??= this.breaker.isolate();
    else {
      this.held?.dispose();
      this.held = undefined;
    }
  }

  private recordState(state: CircuitState): void {
    if (state === CircuitState.Closed) this.onRestored();
    if (state === CircuitState.Open && this.probe) void this.untilAlive(this.probe);
  }

  private async untilAlive(probe: () => Promise<unknown>): Promise<void> {
    if (this.isProbing) return;
    this.isProbing = true;
    while (this.breaker.state !== CircuitState.Closed) {
      await pause(this.probeAfterMilliseconds, undefined, { ref: false });
      await this.isAnswered(probe);
    }
    this.isProbing = false;
  }

  private isAnswered(probe: () => Promise<unknown>): Promise<boolean> {
    const asked = this.breaker.execute(() =>
      inTime(probe, this.options.budgetMilliseconds, () => new Unanswered(this.name, true)),
    );
    return asked.then(
      () => true,
      () => false,
    );
  }

  private givenUp(): Unanswered {
    this.onOverrun();
    return new Unanswered(this.name, true);
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

export class Dependencies {
  private readonly all = new Set<Dependency>();
  private readonly listeners = new Set<(name: string) => void>();
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

  of(options: DependencyOptions): Dependency {
    const dependency = new Dependency(options);
    const overruns = this.overruns.labels({ dependency: dependency.name });
    dependency.onOverrun = () => overruns.inc();
    dependency.onRestored = () => {
      for (const listener of this.listeners) listener(dependency.name);
    };
    this.all.add(dependency);
    return dependency;
  }

  /** Calls the listener with a dependency's name each time it answers again. */
  onRestored(listener: (name: string) => void): void {
    this.listeners.add(listener);
  }

  private worst(name: string): BreakerState {
    const states = [...this.all].filter((one) => one.name === name).map(({ state }) => state);
    return (['open', 'half-open'] as const).find((state) => states.includes(state)) ?? 'closed';
  }
}

const figures: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 };
