import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const catalogue = resolve(import.meta.dirname, '../src/locales/en.po');
const empty = '\0no-messages';
const source = /[\\/]web[\\/]src[\\/].*[.]tsx?$/;
/** What the macro leaves of a message: its id, six characters of a hash. */
const messageId = /\bid:\s*["'`]([\w+/-]{6})["'`]/g;

type Messages = Record<string, unknown>;

/** What the compiled catalogue exports: one call of JSON.parse. */
function messagesIn(code: string): Messages {
  const [, json] = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(code) ?? [];
  if (json === undefined) throw new Error('Lingui writes its compiled catalogues in another way now.');
  return JSON.parse(JSON.parse(json) as string) as Messages;
}

/**
 * Lets every module bring its own messages, so that the first screen does not wait for the words of all others
 * (ADR 0015). The catalogue stays the one place where they are written and checked.
 */
export function ownMessages(): Plugin {
  let messages: Promise<Messages> | undefined;
  return {
    name: 'caravan:own-messages',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) => (importer !== undefined && id.endsWith('/en.po') ? empty : null),
    load: (id) => (id === empty ? 'export const messages = {};' : null),
    transform: {
      order: 'post',
      filter: { id: source },
      async handler(code) {
        const ids = [...code.matchAll(messageId)].map(([, id = '']) => id);
        if (ids.length === 0) return undefined;
        messages ??= this.load({ id: catalogue }).then((module) => messagesIn(module.code ?? ''));
        const all = await messages;
        const own = Object.fromEntries(ids.filter((id) => id in all).map((id) => [id, all[id]]));
        if (Object.keys(own).length === 0) return undefined;
        const register = `import { i18n as words } from '@lingui/core';words.load('en', ${JSON.stringify(own)});`;
        return { code: `${register}${code}`, map: null };
      },
    },
  };
}
