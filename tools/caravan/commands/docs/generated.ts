import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { formattedLicences } from '../../build/supply-chain/licence-list.ts';
import { configurationText } from '../../operate/configuration.ts';
import { root } from '../../process/paths.ts';
import { adrIndexPage } from './pages/adr-index.ts';
import { commandsPage } from './pages/commands-page.ts';
import { eventsDocument } from './pages/events-document.ts';
import { eventsPage } from './pages/events-page.ts';
import { httpPages } from './pages/http-pages.ts';
import { metricsPage } from './pages/metrics-page.ts';
import { performancePage } from './pages/performance-page.ts';
import { requirementsPage, rulesPage } from './pages/rules-page.ts';

type Page = { readonly path: string; readonly text: () => string | Promise<string> };

export const generatedPages = (): Page[] => [
  { path: 'docs/develop/adr/index.md', text: adrIndexPage },
  { path: 'docs/reference/commands.md', text: commandsPage },
  { path: 'docs/reference/events.md', text: eventsPage },
  { path: 'docs/reference/licences.md', text: formattedLicences },
  { path: 'docs/reference/metrics.md', text: metricsPage },
  { path: 'docs/reference/performance.md', text: performancePage },
  { path: 'docs/reference/rules.md', text: rulesPage },
  { path: 'docs/reference/security-requirements.md', text: requirementsPage },
  { path: 'docs/reference/settings.md', text: configurationText },
  { path: 'docs/api/asyncapi.json', text: () => `${JSON.stringify(eventsDocument(), null, 2)}\n` },
  ...httpPages().map(({ name, text }) => ({ path: `docs/reference/http/${name}.md`, text: () => text })),
];

/** As Prettier writes it, so that the check of formatting agrees. */
export async function formattedText({ path, text }: Page): Promise<string> {
  const file = join(root, path);
  if (path.endsWith('.json')) return text();
  return format(await text(), { ...(await resolveConfig(file)), filepath: file });
}

export async function writeGeneratedPages(): Promise<void> {
  const pages = generatedPages();
  const paths = new Set(pages.map(({ path }) => path));
  for (const old of globSync('docs/reference/http/*.md', { cwd: root })) if (!paths.has(old)) rmSync(join(root, old));
  for (const page of pages) {
    const file = join(root, page.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await formattedText(page));
  }
}

/** The pages that differ from what their sources say. */
export async function stalePages(pages: readonly Page[] = generatedPages()): Promise<string[]> {
  const stale: string[] = [];
  for (const page of pages) {
    const file = join(root, page.path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== (await formattedText(page))) stale.push(page.path);
  }
  return stale;
}
