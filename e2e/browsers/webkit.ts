import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@caravan/caravan/process/ports';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Action, Driver, PageFunction } from './browser.ts';
import { Programs, waitForOutput } from './programs.ts';

/** The key of an element in WebDriver's JSON (https://w3c.github.io/webdriver). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
/** MiniBrowser's bar of buttons forbids windows of less than 447 pixels; without paddings a phone's 390 are possible. */
const style =
  'toolbar, toolbar *, headerbar, headerbar *, entry, button { padding: 0; margin: 0; min-width: 0; min-height: 0; border-width: 0; }';
const barHeight = 21;

/** Debian's WebKit by its own driver, which speaks classic WebDriver and needs a screen. */
export class WebKit implements Driver {
  /** WebKit's console cannot be read. */
  readonly problems: readonly string[] = [];
  private session = '';

  private constructor(
    private readonly programs: Programs,
    private readonly base: string,
  ) {}

  static async open(width: number, height: number, language: string): Promise<WebKit> {
    const programs = new Programs('webkit');
    try {
      mkdirSync(join(programs.home, 'gtk-3.0'));
      writeFileSync(join(programs.home, 'gtk-3.0', 'gtk.css'), style);
      const screen = programs.start('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1100x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      const display = await waitForOutput(screen.stdio[3] as Readable, /(\d+)\n/);
      const port = await freePort();
      // The browser inherits the driver's environment. Without a screen the driver would wait for ever.
      const locale = `${language.replace('-', '_')}.UTF-8`;
      const env = {
        DISPLAY: `:${display}`,
        XDG_CONFIG_HOME: programs.home,
        LIBGL_ALWAYS_SOFTWARE: '1',
        LANG: locale,
        LC_ALL: locale,
        LANGUAGE: language.replace('-', '_'),
      };
      programs.start('WebKitWebDriver', [`--port=${port}`], { env });
      const webKit = new WebKit(programs, `http://127.0.0.1:${port}`);
      await webKit.begin(width, height);
      return webKit;
    } catch (error) {
      await programs.end();
      throw error;
    }
  }

  private async begin(width: number, height: number): Promise<void> {
    const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
    // On a Mac and on an iPhone, Tab passes over links.
    const args = ['--automation', '--enable-tabs-to-links=FALSE'];
    const alwaysMatch = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } };
    for (let tries = 100; this.session === ''; tries -= 1) {
      try {
        const made = (await this.send('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string };
        this.session = made.sessionId;
      } catch (error) {
        // `fetch` rejects with a TypeError while the driver does not listen yet.
        if (tries === 0 || !(error instanceof TypeError)) throw error;
        await pause(100);
      }
    }
    await this.command('POST', '/window/rect', { x: 0, y: 0, width, height: height + barHeight });
  }

  private async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(this.base + path, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      // The driver never answers when a page hangs.
      signal: AbortSignal.timeout(60_000),
    });
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${value.error ?? answer.status}: ${value.message ?? ''}`);
    return value;
  }

  private command(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.send(method, `/session/${this.session}${path}`, body);
  }

  go(url: string): Promise<unknown> {
    return this.command('POST', '/url', { url });
  }

  async run<Args extends readonly unknown[], Result>(page: PageFunction<Args, Result>, ...args: Args): Promise<Result> {
    const script = `const done = arguments[1];
      (async () => JSON.stringify((await (${String(page)})(...JSON.parse(arguments[0]))) ?? null))()
        .then(done, (error) => done('!' + error));`;
    const text = String(await this.command('POST', '/execute/async', { script, args: [JSON.stringify(args)] }));
    if (text.startsWith('!')) throw new Error(text.slice(1));
    return JSON.parse(text) as Result;
  }

  perform(actions: readonly Action[]): Promise<unknown> {
    return this.command('POST', '/actions', { actions });
  }

  async setFiles(selector: string, path: string): Promise<unknown> {
    const found = (await this.command('POST', '/element', { using: 'css selector', value: selector })) as Record<
      string,
      string
    >;
    return this.command('POST', `/element/${found[elementKey] ?? ''}/value`, { text: path });
  }

  async picture(): Promise<string> {
    return String(await this.command('GET', '/screenshot'));
  }

  async quit(): Promise<void> {
    await this.command('DELETE', '').catch(() => undefined);
    await this.programs.end();
  }
}
