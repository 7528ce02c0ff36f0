import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const sdk = resolve(import.meta.dirname, '../src/lib/api/generated/sdk.gen.ts');
const named = /import\s*\{([^}]*)\}\s*from\s*['"][^'"]*\/generated\/sdk\.gen\.ts['"];?/g;
const alone = /sdk\.gen\.ts\?operation=(\w+)$/;

/** Import statements of the generated SDK, and the one operation of this name. */
function operationIn(code: string, name: string): string {
  const [, body] = new RegExp(`\\n(export const ${name} = [\\s\\S]*?\\n?\\}\\);)\\n`).exec(code) ?? [];
  if (body === undefined)
    throw new Error(`The generated SDK has no operation ${name}, or writes it in another way now.`);
  return `${(code.match(/^import .*;$/gm) ?? []).join('\n')}\n${body}\n`;
}

/**
 * Makes a module of each operation of the generated SDK, so that a screen brings those that it calls: as one module all
 * of them would travel before the login (ADR 0042).
 */
export function ownOperations(): Plugin {
  let code: Promise<string> | undefined;
  return {
    name: 'caravan:own-operations',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (alone.test(id) ? id : null),
    load: {
      filter: { id: alone },
      async handler(id) {
        const [, name = ''] = alone.exec(id) ?? [];
        return operationIn(await (code ??= readFile(sdk, 'utf8')), name);
      },
    },
    transform: {
      filter: { id: /[\\/]web[\\/]src[\\/].*[.]tsx?(\?.*)?$/, code: 'generated/sdk.gen' },
      handler: (source) => ({
        code: source.replaceAll(named, (_, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '')
            .map((name) => `import { ${name} } from '${sdk}?operation=${name.replace(/ as .*/, '')}';`)
            .join(' '),
        ),
        map: null,
      }),
    },
  };
}
