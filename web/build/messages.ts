import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { messagesIn } from './lingui.ts';

const catalogue = resolve(import.meta.dirname, '../src/locales/en.po');
const empty = '\0no-messages';
const source = /[\\/]web[\\/]src[\\/].*[.]tsx?$/;
/** What the macro leaves of a message: its id, six characters of a hash. */
const messageId = /\bid:\s*["'`]([\w+/-]{6})["'`]/g;

/**
 * Lets every module bring its own messages, so that the first screen does not wait for the words of all others
 * (ADR 0042). The catalogue stays the one place where they are written and checked.
 */
export function ownMessages(): Plugin {
  let messages: ReturnType<typeof messagesIn> | undefined;
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
        messages ??= readFile(catalogue, 'utf8').then(messagesIn);
        const all = await messages;
        const own = Object.fromEntries(ids.filter((id) => id in all).map((id) => [id, all[id]]));
        if (Object.keys(own).length === 0) return undefined;
        const register = `import { i18n as words } from '@lingui/core';words.load('en', ${JSON.stringify(own)});`;
        return { code: `${register}${code}`, map: null };
      },
    },
  };
}
