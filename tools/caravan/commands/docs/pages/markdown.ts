/** The first line of a generated page: the counter of words and readers know it by this. */
export const generatedBy = (source: string): string =>
  `<!-- Generated from ${source} by ./caravan docs --write. Do not edit. -->`;

export const code = (text: string): string => `\`${text}\``;

/** Text that Markdown and Vue show as it is. */
export const plain = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&lbrace;&lbrace;')
    .replaceAll('|', String.raw`\|`);

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
