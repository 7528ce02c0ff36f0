import { transformAsync } from '@babel/core';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

type Messages = Readonly<Record<string, ReturnType<typeof compileMessageOrThrow>>>;

const catalogues = formatter();

/** The compiled messages of a catalogue by their ids. Throws for one that is not in ICU's format. */
export async function messagesIn(catalogue: string): Promise<Messages> {
  const messages = await catalogues.parse(catalogue, { locale: 'en', sourceLocale: 'en', filename: 'en.po' });
  const current = Object.entries(messages).filter(([, { obsolete }]) => obsolete !== true);
  return Object.fromEntries(
    current.map(([id, { translation, message }]) => [id, compileMessageOrThrow(translation || message || id)]),
  );
}

/**
 * Lingui's macro and its catalogues. Lingui's own plugin for Vite loads its command line for this, which is 40 packages
 * that a first start would install.
 */
export function lingui(): Plugin[] {
  return [
    {
      name: 'caravan:lingui-macro',
      enforce: 'pre',
      transform: {
        filter: {
          id: { include: /\.tsx?(?:$|\?)/, exclude: /[\\/]node_modules[\\/]/ },
          code: /from ['"]@lingui\/(?:core|react)\/macro['"]/,
        },
        async handler(code, id) {
          const result = await transformAsync(code, {
            filename: id,
            plugins: ['@lingui/babel-plugin-lingui-macro'],
            parserOpts: { plugins: /\.tsx(?:$|\?)/.test(id) ? ['typescript', 'jsx'] : ['typescript'] },
            babelrc: false,
            configFile: false,
            sourceMaps: true,
          });
          return { code: result?.code ?? code, map: result?.map ?? null };
        },
      },
    },
    {
      name: 'caravan:lingui-catalogue',
      transform: {
        filter: { id: /\.po$/ },
        handler: async (catalogue) => ({
          code: `export const messages = ${JSON.stringify(await messagesIn(catalogue))};`,
          map: null,
          moduleType: 'js',
        }),
      },
    },
  ];
}
