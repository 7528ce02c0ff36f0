import { setTimeout as pause } from 'node:timers/promises';

export type Action = Readonly<Record<string, unknown>>;
/** Runs in the page; takes and returns what JSON can hold. */
export type PageFunction<Args extends readonly unknown[], Result> = (...args: Args) => Result | Promise<Result>;

/** Drives one browser engine. WebDriver and BiDi take the same JSON for keys and the pointer. */
export type Driver = {
  go(url: string): Promise<unknown>;
  run<Args extends readonly unknown[], Result>(page: PageFunction<Args, Result>, ...args: Args): Promise<Result>;
  perform(actions: readonly Action[]): Promise<unknown>;
  setFiles(selector: string, path: string): Promise<unknown>;
  /** PNG, in base64. */
  picture(): Promise<string>;
  /** Errors of the console and refusals of the content security policy, where the engine can be asked. */
  readonly problems: readonly string[];
  quit(): Promise<unknown>;
};

type Role = 'button' | 'link' | 'radio' | 'field';
const waitMilliseconds = 30_000;

/** A page in any engine, used as a person would use it: by the names of what it shows. */
export class Browser {
  constructor(readonly driver: Driver) {}

  async until<Args extends readonly unknown[], Result>(
    awaited: string,
    page: PageFunction<Args, Result | false | null>,
    ...args: Args
  ): Promise<Result> {
    const end = performance.now() + waitMilliseconds;
    for (;;) {
      const answer = await this.driver.run(page, ...args).catch((error: unknown) => {
        // While a page is being replaced nothing can be asked of it.
        if (performance.now() > end) throw error;
        return null;
      });
      if (answer !== null && answer !== false) return answer;
      if (performance.now() > end) throw new Error(`waited in vain for ${awaited}`);
      await pause(100);
    }
  }

  sees(words: string): Promise<true> {
    return this.until(`the text ${words}`, (text: string) => document.body.innerText.includes(text) || null, words);
  }

  async click(role: Role, name: string): Promise<void> {
    const { x, y } = await this.restingPlace(role, name);
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.driver.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  }

  /** Waits until two looks find it at one place: what still moves would be missed. */
  private async restingPlace(role: Role, name: string): Promise<{ x: number; y: number }> {
    const find = () => this.until(`the ${role} ${name}`, placeOf, role, name);
    let before = await find();
    let now = await find();
    while (before.x !== now.x || before.y !== now.y) {
      await pause(50);
      [before, now] = [now, await find()];
    }
    return now;
  }

  async type(field: string, words: string): Promise<void> {
    await this.click('field', field);
    const actions = [...words].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.driver.perform([{ type: 'key', id: 'keys', actions }]);
  }

  /** Sets a field that no two engines fill by keys alike: dates, times, numbers. */
  set(field: string, value: string): Promise<true> {
    return this.until(`the field ${field}`, setField, field, value);
  }
}

/** The middle of what has this role and name, scrolled into view; null while something lies above it. */
function placeOf(role: string, name: string): { x: number; y: number } | null {
  const selectors: Record<string, string> = {
    button: 'button,[role=button]',
    link: 'a',
    radio: '[role=radio],[type=radio]',
    field: 'input,textarea,select',
  };
  const labelsOf = (element: HTMLElement) =>
    'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
  const namesOf = (element: HTMLElement) => [
    element.getAttribute('aria-label') ?? '',
    role === 'field' ? '' : element.innerText,
    ...labelsOf(element).map((label) => label.innerText),
  ];
  const found = [...document.querySelectorAll<HTMLElement>(selectors[role] ?? '')].find(
    (element) =>
      namesOf(element).some((words) => words.replaceAll(/\s+/g, ' ').trim().startsWith(name)) &&
      element.checkVisibility() &&
      !element.matches(':disabled'),
  );
  if (!found) return null;
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const place = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  const above = document.elementFromPoint(place.x, place.y);
  const isFree = found.contains(above) || labelsOf(found).some((label) => label.contains(above));
  return isFree ? place : null;
}

function setField(name: string, value: string): true | null {
  const field = [...document.querySelectorAll('input')].find((each) =>
    [...(each.labels ?? [])].some((label) => label.innerText.trim().startsWith(name)),
  );
  if (!field) return null;
  // React listens to the setter of the element itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return field.value === value || null;
}
