import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sections } from './sections.ts';

type Link = { text: string; link: string };
type Group = { text: string; collapsed?: boolean; items: Link[] };

const docs = join(import.meta.dirname, '..');

/** A page is called in the sidebar what its heading says. */
function linkTo(page: string): Link {
  const [, heading = basename(page)] = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  return { text: heading, link: `/${page.replace(/(^|\/)index$/, '$1')}` };
}

export const navigation = sections.map(({ title, begins }) => ({
  text: title,
  link: `/${begins}/`,
  activeMatch: `/${begins}/`,
}));

export const sidebar = Object.fromEntries(
  sections.map(({ begins, groups }) => [
    `/${begins}/`,
    groups.map(({ title, pages, isCollapsed = false }): Group => ({
      text: title,
      items: pages.map(linkTo),
      ...(isCollapsed && { collapsed: true }),
    })),
  ]),
);
