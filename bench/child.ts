import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withDescendants } from '@caravan/caravan/process/process-tree';
import { ownFolder } from './own-folder.ts';
import { root } from './product.ts';

export type Child = { readonly url: string; readonly pid: number; stop(): void };

export async function startFloor(
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Child> {
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const process_ = spawn(process.execPath, [...loader, join(root, 'bench', file), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const stop = () => process_.kill('SIGTERM');
  for await (const line of createInterface(process_.stdout)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (url && process_.pid) return { url, pid: process_.pid, stop };
  }
  throw new Error(`${file} ended before it said where it listens`);
}

/** As people use it in front of services: keep-alive to the upstream, one worker. */
export async function startNginx(upstream: string): Promise<Child & { workerPid(): Promise<number> }> {
  const folder = ownFolder('nginx');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; user root;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream service { server ${new URL(upstream).host}; keepalive 64; keepalive_requests 1000000; }
  server { listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  );
  const process_ = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  const failed = once(process_, 'error').then(([error]: unknown[]) => {
    throw error;
  });
  await Promise.race([answering(url), failed]);
  const pid = process_.pid ?? 0;
  return {
    url,
    pid,
    stop: () => process_.kill('SIGTERM'),
    workerPid: () => Promise.resolve(withDescendants(pid)[1] ?? pid),
  };
}

export async function answering(url: string, patienceSeconds = 20): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000;
  for (;;) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
