import { usage } from '../../usage.ts';
import { code, generatedBy, plain } from './markdown.ts';

type Command = { readonly call: string; readonly does: string };

/** Reads the help text: a command stands behind two spaces, what it does behind 26. */
export function commandsIn(text: string): Command[] {
  const found: { call: string; does: string[] }[] = [];
  for (const line of text.split('\n').filter((each) => each.startsWith('  '))) {
    const [, call, does = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (call === undefined) found.at(-1)?.does.push(line.trim());
    else found.push({ call, does: does === '' ? [] : [does] });
  }
  return found.map(({ call, does }) => ({ call, does: does.join(' ') }));
}

export function commandsPage(): string {
  const items = commandsIn(usage).map(({ call, does }) => `- ${code(`./caravan ${call}`)}\\\n  ${plain(does)}`);
  return [
    generatedBy('the help text of ./caravan'),
    '# Commands\n',
    'Run them in the root of the repository. `./caravan` without a command prints the same text.\n',
    items.join('\n'),
    '',
  ].join('\n');
}
