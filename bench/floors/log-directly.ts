import fastify from 'fastify';
import { Pool } from 'pg';

// The floor of a durable write: one statement, a log row and an outbox row, the product's indexes.
const [databaseUrl = '', port = '0'] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl, max: 10 });
await pool.query(`create table if not exists bench_logs (
    pos bigint generated always as identity, log_id uuid not null, user_id uuid not null, data jsonb not null,
    recorded_at timestamptz not null default now(), primary key (log_id));
  create unique index if not exists bench_logs_pos on bench_logs (pos);
  create index if not exists bench_logs_user on bench_logs (user_id, recorded_at desc);
  create table if not exists bench_outbox (pos bigint primary key, data jsonb not null)`);

const app = fastify();
app.post('/log', async (request) => {
  const { rows } = await pool.query<{ pos: string }>({
    name: 'log',
    text: `with logged as (insert into bench_logs (log_id, user_id, data) values ($1, $2, $3) returning pos, data)
      insert into bench_outbox select pos, data from logged returning pos`,
    values: [crypto.randomUUID(), crypto.randomUUID(), JSON.stringify(request.body)],
  });
  return { id: rows[0]?.pos, milesEarned: 3, multiplier: 1, totalMiles: 3, bonusApplied: false };
});
process.stdout.write(`${await app.listen({ port: Number(port), host: '127.0.0.1' })}\n`);
