import { OldAnswers } from '@caravan/event-store/postgres/idempotency';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Pool } from '../storage/pool.ts';
import { Repeating } from '../process/repeating.ts';
import { type Sweep, Sweeps } from './sweeps.ts';

const sweepMilliseconds = 2_000;

/** Forgets old answers to `Idempotency-Key`, so that no request has to (design/database.md). */
@Injectable()
export class ForgottenAnswers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly answers: OldAnswers;
  private readonly sweep: Sweep;
  private readonly sweeps: Repeating;

  constructor(@Inject(Pool) pool: Pool, @Inject(Sweeps) sweeps: Sweeps) {
    const { background } = sweeps;
    this.answers = new OldAnswers(pool);
    this.sweep = sweeps.of('kit.delete-old-answers');
    this.sweeps = new Repeating({
      background,
      name: 'kit.delete-old-answers',
      everyMilliseconds: sweepMilliseconds,
      work: () => this.sweep.look(() => this.answers.forget()),
    });
  }

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
  }
}
