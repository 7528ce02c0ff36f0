import { setTimeout as pause } from 'node:timers/promises';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Client } from '@caravan/event-store/postgres/client';
import pg from 'pg';
import { z } from 'zod';
import type { Pool } from '../storage/pool.ts';
import { testServers } from './servers.ts';

/** A statement as PostgreSQL executed it for a service, under the plan that the service's connection chose. */
export type Executed = {
  readonly text: string;
  /** Blocks of tables and indexes that it touched, in memory or read. */
  readonly blocks: number;
};

const explainedSchema = z.object({
  'Query Text': z.string(),
  Plan: z.looseObject({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() }),
});

const settings: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  // The connection itself is told, so that nobody has to find the server's log.
  'auto_explain.log_level': 'notice',
};

/**
 * From here on tells what the connections of a service's pool execute. Connections that are open are ended: the
 * service opens new ones, which report.
 */
export async function watchStatements({ pool, ownerUrl }: { pool: Pool; ownerUrl: string }) {
  const executed: Executed[] = [];
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      const [, json] = /^duration: .*? plan:\n(.*)$/s.exec(message ?? '') ?? [];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = explainedSchema.parse(JSON.parse(json));
      executed.push({ text, blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] });
    });
  });
  const database = new URL(ownerUrl).pathname.slice(1);
  await asAdmin(async (admin) => {
    for (const [name, value] of Object.entries(settings))
      await admin.query(`alter database ${database} set ${name} = '${value}'`);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [database],
    );
  });
  while (
    !(await pool.query('select 1').then(
      () => true,
      () => false,
    ))
  )
    await pause(20);
  return {
    /** What was executed while the work went on; also what the service does by itself meanwhile. */
    during: async (work: () => Promise<unknown>): Promise<Executed[]> => {
      const before = executed.length;
      await work();
      return executed.slice(before);
    },
  };
}

/**
 * Of the executions of a statement with this part, in order of what they touched, the one in the middle: whoever plans
 * anew after statistics were taken, or meets a page that splits, reads more that once.
 */
export function usualBlocks(executed: readonly Executed[], part: string): number {
  const blocks = executed.filter(({ text }) => text.includes(part)).map((one) => one.blocks);
  const middle = blocks.toSorted((one, other) => one - other)[Math.floor(blocks.length / 2)];
  if (middle === undefined) throw new Error(`Nothing with ${part} was executed`);
  return middle;
}

/** A node of a plan, with what was touched for it and below it. */
export type PlanNode = {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
};

/** Executes a statement for an organisation under the plan that a prepared one has in the product, and answers the plan. */
export async function planOf(pool: Pool, orgId: string, text: string, values: readonly unknown[]): Promise<PlanNode> {
  const { rows } = await withTenant(pool, orgId, async (tx) => {
    await tx.query(`prepare explained as ${text}`);
    const explained = await tx.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, format json) execute explained(${values.map(literal).join(', ')})`,
    );
    await tx.query('deallocate explained');
    return explained;
  });
  const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
  if (!explained) throw new Error('PostgreSQL told no plan');
  return explained.Plan;
}

export const blocksOf = (plan: PlanNode): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

const elementOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(elementOf).join(',')}}`);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  throw new TypeError('Not a value of a statement');
}

async function asAdmin(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: testServers().postgresAdmin });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** The texts of all statements that this process sends while the work goes on. */
export async function textsOfStatements(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const listening = (to: typeof query) => Object.assign(pg.Client.prototype, { query: to });
  listening(function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args;
    if (asked instanceof pg.Query) texts.push((asked as pg.Query & { text: string }).text);
    return query.apply(this, args);
  });
  await work().finally(() => listening(query));
  return texts;
}
