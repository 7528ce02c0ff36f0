import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root, shared } from '../../process/paths.ts';
import type { Found } from './finding.ts';
import type { RowShape } from './row-shape.ts';
import { unknownText } from './sampling.ts';
import type { Made } from './scope.ts';

/** How often each is met. */
export type Counts = ReadonlyMap<string, number>;

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

type Thunk = () => unknown[];
export type Text = { readonly text: string; readonly row?: RowShape };

/** All texts that a statement may have, or why they cannot be known. */
export type Texts = { readonly texts: readonly Text[] } | { readonly why: string };

const isUnknown = (values: readonly unknown[]): boolean => JSON.stringify(values).includes(unknownText);

/** Evaluates expressions within their files, which are loaded as the services load them. */
export async function textsOf(
  statements: readonly Found[],
  handed: readonly Made[],
): Promise<{ readonly texts: Texts[]; readonly skipped: Counts }> {
  const additions = new Map<string, string[]>();
  const add = (file: string, name: string, make: string): unknown =>
    additions.set(file, [...(additions.get(file) ?? []), `globalThis.thunks.set('${name}', () => ${make});`]);
  for (const [nth, { file, make, byCalls }] of statements.entries()) {
    if (make !== undefined) add(join(root, file), `statement ${nth}`, make);
    for (const [call, one] of byCalls.entries()) add(join(root, file), `statement ${nth} ${call}`, one.make);
  }
  for (const [nth, { file, make }] of handed.entries()) add(file, `handed ${nth}`, make);
  const thunks = new Map<string, Thunk>();
  const handedIn = (nth: number, others: readonly number[]): unknown[] => {
    const own = thunks.get(`handed ${nth}`)?.() ?? [];
    if (!isUnknown(own) || others.length === 0) return own;
    const values = others.flatMap((other) => thunks.get(`handed ${other}`)?.() ?? []);
    return values.length > 0 ? values : own;
  };
  const skipped = new Map<string, number>();
  const skipSample = (error: unknown): void => count(skipped, error instanceof Error ? error.message : String(error));
  Object.assign(globalThis, { thunks, handedIn, skipSample });
  const outfile = join(shared.compiled, 'statements.mjs');
  await bundle(outfile, additions);
  await import(pathToFileURL(outfile).href);
  const texts = statements.map((statement, nth) => evaluate(statement, `statement ${nth}`, thunks));
  return { texts, skipped };
}

function evaluate({ why, row, byCalls }: Found, name: string, thunks: ReadonlyMap<string, Thunk>): Texts {
  const own = textsFrom(thunks.get(name), row);
  if ('texts' in own || byCalls.length === 0) return why === undefined ? own : { why };
  const all = byCalls.map((call, nth) => textsFrom(thunks.get(`${name} ${nth}`), call.row));
  return all.find((each) => 'why' in each) ?? { texts: all.flatMap((each) => ('texts' in each ? each.texts : [])) };
}

function textsFrom(thunk: Thunk | undefined, row: RowShape | undefined): Texts {
  if (!thunk) return { why: 'its file was not loaded' };
  try {
    const made = thunk().map((text) => (Array.isArray(text) ? (text[0] as unknown) : text));
    const texts = made.filter((text) => typeof text === 'string');
    if (texts.length < made.length || texts.length === 0) return { why: 'it is no text' };
    if (isUnknown(texts)) return { why: 'it holds a text that is known only when it is sent' };
    return { texts: [...new Set(texts)].map((text) => (row ? { text, row } : { text })) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

async function bundle(outfile: string, additions: ReadonlyMap<string, readonly string[]>): Promise<void> {
  await build({
    stdin: {
      contents: [...additions.keys()].map((file) => `import ${JSON.stringify(file)};`).join('\n'),
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    loader: { '.ttf': 'empty', '.bloom': 'empty' },
    plugins: [
      {
        name: 'statements',
        setup(plugin) {
          plugin.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@caravan/') ? undefined : { path, external: true },
          );
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const lines = additions.get(resolve(path));
            return lines && { contents: [readFileSync(path, 'utf8'), ...lines].join('\n'), loader: 'ts' };
          });
        },
      },
    ],
  });
}
