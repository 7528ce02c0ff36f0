import { readdirSync } from 'node:fs';
import { join } from 'node:path';

type Group = { readonly title: string; readonly pages: readonly string[]; readonly isCollapsed?: boolean };
type Section = { readonly title: string; readonly begins: string; readonly groups: readonly Group[] };

const docs = join(import.meta.dirname, '..');

const pagesIn = (folder: string, ...names: readonly string[]): string[] => names.map((name) => `${folder}/${name}`);

/** Every page of a folder but its own index, in the order of their names. */
function allIn(folder: string): string[] {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md') && name !== 'index.md');
  return names.toSorted().map((name) => `${folder}/${name.slice(0, -'.md'.length)}`);
}

const members = pagesIn(
  'guide/members',
  'index',
  'log',
  'challenges',
  'journey',
  'together',
  'photos',
  'devices',
  'privacy',
);
const admins = pagesIn('guide/admins', 'index', 'people', 'challenges', 'oversight');

export const sections: readonly Section[] = [
  { title: 'Guide for members', begins: 'guide/members', groups: [{ title: 'Guide for members', pages: members }] },
  { title: 'Guide for admins', begins: 'guide/admins', groups: [{ title: 'Guide for admins', pages: admins }] },
  {
    title: 'Operate',
    begins: 'operate',
    groups: [
      { title: 'Install', pages: pagesIn('operate', 'index', 'compose', 'kubernetes', 'platforms') },
      { title: 'Run', pages: pagesIn('operate', 'backup', 'upgrade', 'monitoring', 'runbooks', 'scaling', 'security') },
    ],
  },
  {
    title: 'Develop',
    begins: 'develop',
    groups: [
      { title: 'Begin', pages: pagesIn('develop', 'index', 'feature', 'event-sourcing') },
      { title: 'Design notes', pages: allIn('develop/design') },
      { title: 'Decisions', pages: ['develop/adr/index', ...allIn('develop/adr')], isCollapsed: true },
    ],
  },
  {
    title: 'Reference',
    begins: 'reference',
    groups: [
      {
        title: 'Reference',
        pages: pagesIn(
          'reference',
          'index',
          'events',
          'settings',
          'commands',
          'metrics',
          'performance',
          'rules',
          'security-requirements',
          'licences',
        ),
      },
      { title: 'HTTP API', pages: allIn('reference/http') },
    ],
  },
];
