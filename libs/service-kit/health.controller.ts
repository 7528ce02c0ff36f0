import type { FastifyInstance } from 'fastify';

/** Throws, or answers with a reason, when a part is not usable. */
export type HealthCheck = () => Promise<string | void> | string | void;

const checkTimeoutMs = 2_000;

/** What this process needs to serve: parts register a check each; start and shutdown open and close it. */
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  /** Adds a part to `/health/ready`; a second check of the same name replaces the first. */
  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  enter(phase: 'running' | 'stopping'): void {
    this.phase = phase;
  }

  /** Which parts are not ready and why; empty when all are. */
  async problems(): Promise<Record<string, string>> {
    if (this.phase !== 'running') return { process: this.phase };
    const outcomes = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    );
    return Object.fromEntries(outcomes.filter((outcome): outcome is [string, string] => outcome[1] !== undefined));
  }
}

/** `/health/live` answers while the process runs; `/health/ready` says 503 and which part is not ready. */
export function addHealthRoutes(fastify: Pick<FastifyInstance, 'get'>, health: Health): void {
  fastify.get('/health/live', () => ({ status: 'live' }));
  fastify.get('/health/ready', async (_request, reply) => {
    const problems = await health.problems();
    if (Object.keys(problems).length === 0) return { status: 'ready' };
    void reply.code(503);
    return { status: 'not ready', problems };
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
