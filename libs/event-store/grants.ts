import pg from 'pg';

/**
 * What the runtime role of a service may do: rows of its own tables, everything in transit, and the logs (of events, and of
 * who did what) only by appending. Runs after every migration, so that new tables are covered.
 */
export async function grantRuntimeRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname in ('public', 'msg', 'es', 'audit')`,
  );
  const has = new Set(rows.map(({ nspname }) => nspname));
  const to = pg.escapeIdentifier(role);
  const grants = ['public', 'msg'].filter((schema) => has.has(schema)).flatMap((schema) => rowsOf(schema, to));
  if (has.has('es')) grants.push(...log(to));
  if (has.has('audit')) grants.push(...auditLog(to));
  // In one message, so that nobody sees a role between two grants.
  await client.query(['begin', ...grants, 'commit'].join(';\n'));
}

const rowsOf = (schema: string, role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `grant usage, select on all sequences in schema ${schema} to ${role}`,
  ...(schema === 'public' ? [`revoke all on public._prisma_migrations from ${role}`] : []),
];

const log = (role: string): string[] => [
  `grant usage on schema es to ${role}`,
  `revoke all on es.events, es.projections, es.epochs from ${role}`,
  `grant select, insert on es.events to ${role}`,
  `grant select on es.projections, es.epochs to ${role}`,
  `grant select, insert, update, delete on es.outbox, es.refused, es.published, es.requests to ${role}`,
  `grant usage, select on all sequences in schema es to ${role}`,
];

/** Entries go by a function that takes none of the last year. */
const auditLog = (to: string): string[] => [
  `grant usage on schema audit to ${to}`,
  `revoke all on all tables in schema audit from ${to}`,
  `grant select, insert on all tables in schema audit to ${to}`,
  'revoke all on all functions in schema audit from public',
  `grant execute on all functions in schema audit to ${to}`,
];
