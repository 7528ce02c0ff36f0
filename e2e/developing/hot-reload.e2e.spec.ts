import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { webServer } from '@caravan/caravan/commands/dev/web-server';
import { freePort } from '@caravan/caravan/process/ports';
import { expect, test } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

/** Copies the web app's sources into a folder of this repository, where they find their packages. */
function copyOfSources(): string {
  const folder = join(mkdtempSync(join(root, '.caravan/changed-')), 'web');
  cpSync(join(root, 'tsconfig.base.json'), join(folder, '../tsconfig.base.json'));
  // Without its workspaces, so that Vite serves packages of the repository around it.
  const { browserslist } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { browserslist: string[] };
  writeFileSync(join(folder, '../package.json'), JSON.stringify({ browserslist }));
  cpSync(join(root, 'web'), folder, { recursive: true, filter: (path) => !/\/(node_modules|dist)(\/|$)/.test(path) });
  return folder;
}

test('a label that is changed while `./caravan dev` runs is shown on an open page, which is not loaded again', async ({
  page,
  baseURL,
}) => {
  const folder = copyOfSources();
  const port = await freePort();
  const { command, args, isReady } = webServer({ port, gateway: baseURL ?? '', folder });
  const server = spawn(command, args, { cwd: root, stdio: 'inherit' });
  try {
    const running = { pid: server.pid ?? 0, logFile: '', logFrom: 0 };
    await expect.poll(() => isReady(running), { timeout: 60_000 }).toBe(true);
    await page.goto(`http://127.0.0.1:${port}/login`);
    const button = (name: string) => page.getByRole('button', { name });
    await expect(button('Continue with Email')).toBeVisible();
    await page.evaluate(() => Object.assign(globalThis, { isStillOpen: true }));
    const source = join(folder, 'src/features/account/login.tsx');
    writeFileSync(source, readFileSync(source, 'utf8').replace('Continue with Email', 'Go on with an address'));
    await expect(button('Go on with an address')).toBeVisible();
    expect(await page.evaluate(() => 'isStillOpen' in globalThis)).toBe(true);
  } finally {
    server.kill();
    rmSync(join(folder, '..'), { recursive: true });
  }
});
