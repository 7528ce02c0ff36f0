import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, Driver, PageFunction } from './browser.ts';
import { Programs, waitForOutput } from './programs.ts';

type Answer = {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: { level?: string; text?: string };
};
type Waiting = { resolve(result: unknown): void; reject(error: Error): void };
type Ran = { result: { value: string }; exceptionDetails?: { text: string } };

const preferences = [
  ['browser.shell.checkDefaultBrowser', false],
  ['datareporting.policy.dataSubmissionEnabled', false],
  ['app.update.enabled', false],
] as const;

/** Debian's Firefox by WebDriver BiDi, which it speaks itself (https://w3c.github.io/webdriver-bidi). */
export class Firefox implements Driver {
  readonly problems: string[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private context = '';

  private constructor(
    private readonly programs: Programs,
    private readonly socket: WebSocket,
  ) {
    socket.onmessage = ({ data }) => this.handle(JSON.parse(String(data)) as Answer);
  }

  static async open(width: number, height: number, language: string): Promise<Firefox> {
    const programs = new Programs('firefox');
    try {
      const languages = [
        ['intl.accept_languages', language],
        // Dates are formatted as this says where a page asks for the browser's own language.
        ['intl.locale.requested', language],
      ] as const;
      const lines = [preferences, languages]
        .flat()
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
      writeFileSync(join(programs.home, 'user.js'), lines.join('\n'));
      const args = [
        '--headless',
        '--no-remote',
        '--profile',
        programs.home,
        '--remote-debugging-port=0',
        'about:blank',
      ];
      const { stderr } = programs.start('firefox-esr', args, { env: { HOME: programs.home } });
      const socket = new WebSocket(`${await waitForOutput(stderr, /WebDriver BiDi listening on (ws:\S+)/)}/session`);
      await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
      const firefox = new Firefox(programs, socket);
      await firefox.begin(width, height);
      return firefox;
    } catch (error) {
      await programs.end();
      throw error;
    }
  }

  private async begin(width: number, height: number): Promise<void> {
    await this.send('session.new', { capabilities: {} });
    await this.send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = (await this.send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
    this.context = contexts[0]?.context ?? '';
    await this.send('browsingContext.setViewport', { context: this.context, viewport: { width, height } });
  }

  private handle({ id, result, error, message, method, params }: Answer): void {
    if (id === undefined) {
      if (method === 'log.entryAdded' && params?.level === 'error') this.problems.push(params.text ?? '');
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${error}: ${message ?? ''}`));
  }

  private send(method: string, params: unknown): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  go(url: string): Promise<unknown> {
    return this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  async run<Args extends readonly unknown[], Result>(page: PageFunction<Args, Result>, ...args: Args): Promise<Result> {
    // BiDi writes values in a form of its own; JSON is simpler.
    const { result, exceptionDetails } = (await this.send('script.callFunction', {
      functionDeclaration: `async (text) => JSON.stringify((await (${String(page)})(...JSON.parse(text))) ?? null)`,
      arguments: [{ type: 'string', value: JSON.stringify(args) }],
      target: { context: this.context },
      awaitPromise: true,
    })) as Ran;
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value) as Result;
  }

  perform(actions: readonly Action[]): Promise<unknown> {
    return this.send('input.performActions', { context: this.context, actions });
  }

  async setFiles(selector: string, path: string): Promise<unknown> {
    const { nodes } = (await this.send('browsingContext.locateNodes', {
      context: this.context,
      locator: { type: 'css', value: selector },
    })) as { nodes: { sharedId: string }[] };
    const element = { sharedId: nodes[0]?.sharedId };
    return this.send('input.setFiles', { context: this.context, element, files: [path] });
  }

  async picture(): Promise<string> {
    return ((await this.send('browsingContext.captureScreenshot', { context: this.context })) as { data: string }).data;
  }

  async quit(): Promise<void> {
    this.socket.close();
    await this.programs.end();
  }
}
