import { type Browser, chromium, type LaunchOptions, type Page } from '@playwright/test';
import type { Action, Driver, PageFunction } from './browser.ts';

type Step = { type: string; x?: number; y?: number; value?: string };

/** Chromium by Playwright, with the actions of WebDriver. */
export class Chromium implements Driver {
  readonly problems: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  static async open(
    width: number,
    height: number,
    locale: string,
    launchOptions: LaunchOptions | undefined,
  ): Promise<Chromium> {
    const browser = await chromium.launch(launchOptions);
    return new Chromium(browser, await browser.newPage({ viewport: { width, height }, locale }));
  }

  go(url: string): Promise<unknown> {
    return this.page.goto(url);
  }

  async run<Args extends readonly unknown[], Result>(page: PageFunction<Args, Result>, ...args: Args): Promise<Result> {
    const script = `(async () => JSON.stringify((await (${String(page)})(...${JSON.stringify(args)})) ?? null))()`;
    return JSON.parse(await this.page.evaluate<string>(script)) as Result;
  }

  async perform(actions: readonly Action[]): Promise<void> {
    for (const { actions: steps } of actions)
      for (const { type, x = 0, y = 0, value = '' } of steps as Step[]) {
        if (type === 'pointerMove') await this.page.mouse.move(x, y);
        else if (type === 'pointerDown') await this.page.mouse.down();
        else if (type === 'pointerUp') await this.page.mouse.up();
        else if (type === 'keyDown') await this.page.keyboard.insertText(value);
      }
  }

  setFiles(selector: string, path: string): Promise<unknown> {
    return this.page.setInputFiles(selector, path);
  }

  async picture(): Promise<string> {
    return (await this.page.screenshot()).toString('base64');
  }

  quit(): Promise<unknown> {
    return this.browser.close();
  }
}
