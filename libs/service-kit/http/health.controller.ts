import type { FastifyInstance } from 'fastify';
import type { BackgroundWork, LateTask } from '../telemetry/background-work.ts';

export type HealthCheck = () => Promise<string | void> | string | void;

const checkTimeoutMs = 2_000;

export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(private readonly background?: Pick<BackgroundWork, 'late'>) {}

  /** A process with late background work still answers requests, so it stays ready and names that work. */
  lateWork(): readonly LateTask[] {
    return this.background?.late() ?? [];
  }

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  enter(phase: 'running' | 'stopping'): void {
    this.phase = phase;
  }

  async problems(): Promise<Record<string, string>> {
    if (this.phase !== 'running') return { process: this.phase };
    const outcomes = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    );
    return Object.fromEntries(outcomes.filter((outcome): outcome is [string, string] => outcome[1] !== undefined));
  }
}

export function addHealthRoutes(fastify: Pick<FastifyInstance, 'get'>, health: Health): void {
  fastify.get('/health/live', () => ({ status: 'live' }));
  fastify.get('/health/ready', async (_request, reply) => {
    const problems = await health.problems();
    const late = health.lateWork();
    const background = late.length > 0 ? { background: late } : {};
    if (Object.keys(problems).length === 0) return { status: 'ready', ...background };
    void reply.code(503);
    return { status: 'not ready', problems, ...background };
  });
}

async function outcomeOf(check: HealthCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer in time'), checkTimeoutMs);
  });
  try {
    return (await Promise.race([check(), timeout])) ?? undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  } finally {
    clearTimeout(timer);
  }
}
