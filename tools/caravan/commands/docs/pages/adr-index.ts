import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../process/paths.ts';
import { generatedBy } from './markdown.ts';

export const adrFolder = 'docs/develop/adr';

export type Decision = {
  readonly file: string;
  readonly number: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
  readonly topic: string;
  readonly includes: readonly string[];
  readonly text: string;
};

/** In the order in which the index shows them. */
export const topics = [
  'Events and messages',
  'Data',
  'Movement and miles',
  'Teams and people',
  'Notices and recaps',
  'Photos and files',
  'Fitness platforms',
  'Security and privacy',
  'Web app',
  'Build and run',
];

const head =
  /^# (\d{4}) (.+)\n\n- Status: (.+)\n- Date: (\d{4}-\d\d-\d\d)\n- Topic: (.+)\n(?:- Includes: ([\d, ]+)\n)?/;

export function decisionIn(file: string, text: string): Decision {
  const [, number, title, status, date, topic, includes = ''] = head.exec(text) ?? [];
  if (number === undefined || title === undefined || status === undefined || date === undefined || topic === undefined)
    throw new Error(`${file} has no title, status, date and topic in the form of a decision.`);
  return { file, number, title, status, date, topic, includes: includes.match(/\d{4}/g) ?? [], text };
}

export function decisions(): Decision[] {
  const names = readdirSync(join(root, adrFolder)).filter((name) => /^\d/.test(name));
  return names.toSorted().map((name) => decisionIn(name, readFileSync(join(root, adrFolder, name), 'utf8')));
}

export function adrIndexPage(): string {
  const all = decisions();
  const parts = topics.map((topic) => {
    const own = all.filter((each) => each.topic === topic);
    return `## ${topic}\n\n${own.map(({ number, title, file }) => `- [${number}](${file}) ${title}`).join('\n')}\n`;
  });
  return [
    generatedBy('the decisions in docs/develop/adr'),
    '# Decisions\n',
    'Each record says why a choice was made and what it costs. A new one has at most 60 lines: context, decision, price.\n',
    ...parts,
  ].join('\n');
}
