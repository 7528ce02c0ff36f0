import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../process/paths.ts';

export type Document = { readonly path: string; readonly text: string; readonly isGenerated: boolean };

const isForeign = (path: string): boolean => /(^|\/)(node_modules|dist|generated|\.caravan)(\/|$)/.test(path);

/** Every Markdown file of the repository. */
export function documents(): Document[] {
  const paths = globSync(
    ['*.md', '.github/**/*.md', '{bench,docs,e2e,gateway,infra,libs,services,tools,web}/**/*.md'],
    {
      cwd: root,
      exclude: isForeign,
    },
  );
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, isGenerated: text.startsWith('<!-- Generated') };
  });
}

const generatedPart = /<!-- written by [\s\S]*?<!-- end -->/g;

/** Number of words written by hand. Generated parts and Markdown marks are not counted. */
export function wordsIn({ text, isGenerated }: Document): number {
  if (isGenerated) return 0;
  const words = text.replaceAll(generatedPart, '').split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const rowEnd = /(?<!\\)\|/;

/** The cells of tables that a reader cannot take in at a glance. */
export function longCells({ text }: Document, limit: number): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => row.split(rowEnd).map((cell) => cell.trim())).filter((cell) => cell.length > limit);
}

const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** As GitHub and VitePress make them of headings. */
export function anchorsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** The links of a document whose file or heading is not there. */
export function deadLinks({ path, text }: Document): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^(https?:|mailto:|\/)/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith('.md')) return false;
    return !anchorsIn(readFileSync(join(root, target), 'utf8')).includes(anchor);
  });
}

/** The names of controls that a guide writes in bold. */
export const boldNames = ({ text }: Document): string[] =>
  [...withoutCode(text).matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, name = '']) => name);
