import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';
import { supportedBrowsers, targets } from './browsers.ts';

const compressible = /\.(html|js|css|svg|json|webmanifest|txt)$/;
const font = /figtree-latin-wght-normal.*\.woff2$/;

/** By path: the files of that screen beside those of the page itself. */
type Preloads = { open: Record<string, string[]>; member: Record<string, string[]> };

// What the router's plugin cuts off a route: the part that draws it.
const memberArea = /[\\/]routes[\\/]_member[.]tsx[?]tsr-split=component/;
const memberScreen = /[\\/]routes[\\/]_member[\\/]([\w-]+)[.]tsx[?]tsr-split=component/;
const openScreen = /[\\/]routes[\\/](login|signup)[.]tsx[?]tsr-split=component/;

/** What a screen fetches first, so that it comes beside the page's scripts instead of after them. */
function preloadsOf(bundle: Rolldown.OutputBundle): Preloads {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const filesOf = (chunk: Rolldown.OutputChunk): string[] => [
    chunk.fileName,
    ...(chunk.viteMetadata?.importedCss ?? []),
    ...chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).flatMap(filesOf),
  ];
  const page = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(filesOf));
  const holding = (module: RegExp) =>
    chunks.flatMap((chunk) =>
      chunk.moduleIds.filter((id) => module.test(id)).map((id) => ({ chunk, name: module.exec(id)?.[1] ?? '' })),
    );
  const screens = (module: RegExp, frame: string[]) => {
    const files = new Map<string, Set<string>>();
    for (const { chunk, name } of holding(module)) {
      const path = name === 'index' ? '/' : `/${name}`;
      files.set(path, new Set([...(files.get(path) ?? frame), ...filesOf(chunk)]));
    }
    const beside = (all: Set<string>) => [...all].filter((file) => !page.has(file)).map((file) => `/${file}`);
    return Object.fromEntries([...files].map(([path, all]) => [path, beside(all)]));
  };
  const frame = holding(memberArea).flatMap(({ chunk }) => filesOf(chunk));
  return { open: screens(openScreen, []), member: screens(memberScreen, frame) };
}

/** A script small enough to stand in the page. @param define constants that it declares */
function inlineScript(file: string, target: string | string[], define: Record<string, unknown>): string {
  const { outputFiles } = buildSync({
    entryPoints: [`${import.meta.dirname}/../src/${file}`],
    bundle: true,
    minify: true,
    format: 'iife',
    target,
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    write: false,
  });
  return (outputFiles[0]?.text ?? '').trim();
}

/** Tells people whose browser is too old so; esbuild refuses what is newer than ECMAScript 5 in it. */
export const oldBrowserScript = (): string => inlineScript('old-browser.ts', 'es5', { supportedBrowsers });

const fontPreload = (file: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
  injectTo: 'head',
});

/**
 * What the page needs beside its modules: the script before the first paint and the one for old browsers, with their
 * hashes in `csp.json` for the gateway's content security policy, and the preloaded font.
 */
export function page(): Plugin {
  let scripts: string[] = [];
  return {
    name: 'caravan:page',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const beforePaint = inlineScript('before-paint.ts', targets, { preloads: preloadsOf(bundle) });
        const oldBrowser = oldBrowserScript();
        scripts = [beforePaint, oldBrowser];
        const fonts = Object.keys(bundle).filter((file) => font.test(file));
        return [
          { tag: 'script', children: beforePaint, injectTo: 'head-prepend' },
          { tag: 'script', children: oldBrowser, injectTo: 'body' },
          ...fonts.map(fontPreload),
        ];
      },
    },
    // After Vite has made the page from its template, which asks for the script.
    generateBundle: {
      order: 'post',
      handler() {
        const hashes = scripts.map((script) => createHash('sha256').update(script).digest('base64'));
        const source = JSON.stringify({ scriptHashes: hashes.map((hash) => `sha256-${hash}`) });
        this.emitFile({ type: 'asset', fileName: 'csp.json', source });
      },
    },
  };
}

/** Brotli's levels 10 and 11 save a tenth of the bytes and take fifteen times as long. */
const brotliLevels = { quick: 9, full: constants.BROTLI_MAX_QUALITY };

/** Compresses at build time what the gateway would otherwise compress on every request. */
export function precompress(speed: keyof typeof brotliLevels): Plugin {
  return {
    name: 'caravan:precompressed',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          const source = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          if (!compressible.test(fileName) || fileName === 'csp.json' || source.length < 1024) continue;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevels[speed] } };
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source, quality) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}
