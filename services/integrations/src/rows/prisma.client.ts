import { BoundedPool } from '@caravan/event-store/postgres/bounded-pool';
import { isOnlyReading } from '@caravan/event-store/postgres/reading';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { asOfPostgres } from './database-error.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The tables of this service as Prisma's models: `rows.of(orgId).providerAccount.findMany(…)`. */
export type Tables = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>;

type Step = Prisma.PrismaPromise<unknown>;
type Answers<Steps extends Step[]> = { [Nth in keyof Steps]: Awaited<Steps[Nth]> };
type Scope = { readonly name: string; readonly isReading: boolean };

/** The only way to Prisma. Every statement names first whose rows it may see, in its own transaction (ADR 0003). */
@Injectable()
export class Rows {
  private readonly client: PrismaClient;

  constructor(@Inject(Pool) private readonly pool: Pool) {
    const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameOf(sql) });
    this.client = new PrismaClient({ adapter, errorFormat: 'minimal', transactionOptions });
  }

  /** Sees and writes one organisation's rows only. Throws when `orgId` is not a UUID. */
  of(orgId: string): Tables {
    return this.within(scopeOf(orgId));
  }

  /** Sees every organisation: for jobs, deliveries of platforms and housekeeping, never for a person's request. */
  ofEveryone(): Tables {
    return this.within({ name: 'system', isReading: isOnlyReading() });
  }

  /** What `build` makes of the tables happens in one transaction of one organisation, all of it or nothing. */
  together<Steps extends Step[]>(orgId: string, build: (tables: Tables) => [...Steps]): Promise<Answers<Steps>> {
    return this.batch(scopeOf(orgId), build(this.client)) as Promise<Answers<Steps>>;
  }

  private within(scope: Scope): Tables {
    const batch = (step: Step) => this.batch(scope, [step]);
    return this.client.$extends({
      name: 'row-level-security',
      query: {
        $allModels: {
          async $allOperations({ args, query }) {
            const [answer] = await batch(query(args));
            return answer;
          },
        },
      },
    }) as unknown as Tables;
  }

  private async batch(scope: Scope, steps: Step[]): Promise<unknown[]> {
    const milliseconds = this.pool instanceof BoundedPool ? this.pool.statementMilliseconds() : undefined;
    const scoped = this.client.$executeRaw`select set_config('app.org', ${scope.name}, true),
      set_config('transaction_read_only', ${scope.isReading ? 'on' : 'off'}, true),
      set_config('statement_timeout', ${String(milliseconds ?? 0)}, true)`;
    try {
      const [, ...answers] = await this.client.$transaction([scoped, ...steps]);
      return answers;
    } catch (error) {
      throw asOfPostgres(error);
    }
  }
}

function scopeOf(orgId: string): Scope {
  if (!uuid.test(orgId)) throw new TypeError('An organisation is named by its UUID');
  // Asked for now: a statement of Prisma runs when it is awaited, which may be elsewhere.
  return { name: orgId, isReading: isOnlyReading() };
}

// Connections and statements have their time from the pool; Prisma's own limits stay out of reach.
const transactionOptions = { maxWait: 60_000, timeout: 60_000 };

/** The scope alone is prepared: a plan that is kept would be that of the table as it was then (design/database.md). */
const nameOf = (sql: string): string => (sql.includes("set_config('app.org'") ? 'rows-scope' : '');
