import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { Plugin } from 'vite';

const compressible = /\.(html|js|css|svg|json|webmanifest|txt)$/;
const font = /figtree-latin-wght-normal.*\.woff2$/;

/** The script that sets theme and colours before the first paint, small enough to stand in the page. */
function beforePaint(): string {
  const { outputFiles } = buildSync({
    entryPoints: [`${import.meta.dirname}/../src/before-paint.ts`],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return (outputFiles[0]?.text ?? '').trim();
}

/**
 * What the page needs beside its modules: the script before the first paint, with its hash in `csp.json` for the
 * gateway's content security policy, and the preloaded font.
 */
export function page(): Plugin {
  return {
    name: 'caravan:page',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fontFile = Object.keys(bundle ?? {}).find((file) => font.test(file));
        return [
          { tag: 'script', children: beforePaint(), injectTo: 'head-prepend' },
          ...(fontFile
            ? [
                {
                  tag: 'link',
                  attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${fontFile}` },
                  injectTo: 'head' as const,
                },
              ]
            : []),
        ];
      },
    },
    generateBundle() {
      const hash = createHash('sha256').update(beforePaint()).digest('base64');
      this.emitFile({
        type: 'asset',
        fileName: 'csp.json',
        source: JSON.stringify({ scriptHashes: [`sha256-${hash}`] }),
      });
    },
  };
}

/** Compresses at build time what the gateway would otherwise compress on every request. */
export function precompressed(): Plugin {
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
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source, quality) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}
