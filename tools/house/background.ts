import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

type Source = { readonly file: string; readonly text: string };

/** The sources of services, libraries and the gateway, without tests. */
export const sources: readonly Source[] = globSync('{libs,services/*/src,gateway/src}/**/*.ts', { cwd: root })
  .filter((file) => !/\.spec\.ts$|node_modules|\/testing\//.test(file))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }));

/** Where each kind of background work is created, and its name in the record. */
const declarations: readonly { readonly pattern: RegExp; readonly taskOf: (name: string) => string }[] = [
  { pattern: /\bdefineJob\(\{\s*name: '([^']+)'/g, taskOf: (name) => name },
  { pattern: /\bsweeps\.of\('([^']+)'\)/g, taskOf: (name) => `${name} sweep` },
  { pattern: /\bnew (?:Repeating|WorkQueue|KeyedQueue)(?:<\w+>)?\(\{[^}]*?\bname: '([^']+)'/g, taskOf: (name) => name },
  { pattern: /\bcreateSubscriber\(\{[^}]*?\bname: '([^']+)'/g, taskOf: (name) => name },
  { pattern: /\bkind: '\w+',\s*name: '([^']+)'/g, taskOf: (name) => name },
];

export type Declared = { readonly file: string; readonly task: string };

/** Every piece of background work that the sources declare, by its name in the record. */
export const declaredTasks = (): Declared[] =>
  sources.flatMap(({ file, text }) =>
    declarations.flatMap(({ pattern, taskOf }) =>
      [...text.matchAll(pattern)].map(([, name = '']) => ({ file, task: taskOf(name) })),
    ),
  );

/** The files that match, once for each match. */
export const madeAt = (maker: RegExp): string[] =>
  sources.flatMap(({ file, text }) => [...text.matchAll(maker)].map(() => file));
