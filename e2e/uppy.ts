import { resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import type { Sending, Sent } from './uppy-client.ts';

const address = '/assets/uppy-client-of-a-journey.js';

async function buildBundle(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: resolve(import.meta.dirname, 'uppy-client.ts'), formats: ['es'] } },
  });
  const bundle = Array.isArray(made) ? made[0] : made;
  const [chunk] = bundle && 'output' in bundle ? bundle.output : [];
  if (chunk?.type !== 'chunk') throw new Error('no bundle');
  return chunk.code;
}

/** Uppy's own client for storage, in this page; each file that it sends becomes a photo. */
export async function uppyOf(page: Page) {
  const body = await buildBundle();
  await page.route(`**${address}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  return async (how: Omit<Sending, 'token'>): Promise<Sent & { asked: readonly string[] }> => {
    const asked: string[] = [];
    const note = (request: { method(): string; url(): string }) => {
      const { pathname } = new URL(request.url());
      if (/^\/(companion|objects)\//.test(pathname)) asked.push(`${request.method()} ${nameless(pathname)}`);
    };
    page.on('request', note);
    const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
    const sent = await page.evaluate(
      async ({ from, sending }): Promise<Sent> => {
        const client = (await import(from)) as { send(sending: Sending): Promise<Sent> };
        return client.send(sending);
      },
      { from: address, sending: { token, ...how } },
    );
    page.off('request', note);
    const registered = await page.request.put('/api/workout-photos', {
      data: { photoURL: sent.photoURL },
      headers: { authorization: `Bearer ${token}` },
    });
    expect([sent, registered.status()]).toEqual([sent, 200]);
    return { ...sent, asked };
  };
}

const nameless = (path: string) =>
  path.replace(/multipart\/[^/]+/, 'multipart/{uploadId}').replace(/incoming\/.+/, 'incoming/{key}');
