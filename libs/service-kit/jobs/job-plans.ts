import type { BackgroundWork } from '../telemetry/background-work.ts';
import type { JobQueues } from './job-queues.ts';
import { bullOptionsOf, type JobDefinition } from './job.ts';
import { Repeating } from '../process/repeating.ts';

export type JobSchedule = { readonly cron: string; readonly timeZone: string } | { readonly everySeconds: number };

type Plan = { readonly job: JobDefinition; readonly data: unknown; readonly schedule: JobSchedule };

const checkMilliseconds = 60_000;

/** Restores schedules that Redis lost: compares them every minute and after each reconnect. */
export class JobPlans {
  private readonly queues: JobQueues;
  private readonly plans = new Map<string, Plan>();
  private readonly checking: Repeating;

  constructor(queues: JobQueues, background: BackgroundWork) {
    this.queues = queues;
    this.checking = new Repeating({
      background,
      name: 'job-schedules',
      everyMilliseconds: checkMilliseconds,
      work: () => this.keepAll(),
    });
  }

  async add(plan: Plan): Promise<void> {
    this.plans.set(plan.job.name, plan);
    this.checking.start();
    await this.keep(plan);
  }

  async keepAll(): Promise<void> {
    for (const plan of this.plans.values()) await this.keep(plan);
  }

  stop(): Promise<void> {
    return this.checking.stop();
  }

  private async keep({ job, data, schedule }: Plan): Promise<void> {
    const repeat: { pattern?: string; tz?: string; every?: number } =
      'cron' in schedule ? { pattern: schedule.cron, tz: schedule.timeZone } : { every: schedule.everySeconds * 1000 };
    const queue = await this.queues.of(job);
    const known = await queue.getJobScheduler(job.name);
    if (known && known.pattern === repeat.pattern && known.tz === repeat.tz && known.every === repeat.every) return;
    await queue.upsertJobScheduler(job.name, repeat, { name: job.name, data: { data }, opts: bullOptionsOf(job) });
  }
}
