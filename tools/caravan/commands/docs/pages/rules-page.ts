import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../../process/paths.ts';
import { code, generatedBy, plain } from './markdown.ts';

const ruleSchema = z.object({ says: z.string(), decided: z.string(), proven: z.string() });
const requirementSchema = z.object({
  demand: z.string(),
  how: z.string().optional(),
  proven: z.array(z.string()).min(1),
});

const read = (file: string): unknown => parse(readFileSync(join(root, 'docs/reference', file), 'utf8'));

type Rules = Record<string, Record<string, z.infer<typeof ruleSchema>>>;

export const rules = (): Rules => z.record(z.string(), z.record(z.string(), ruleSchema)).parse(read('rules.yml'));

export const requirements = (): Record<string, z.infer<typeof requirementSchema>> =>
  z.record(z.string(), requirementSchema).parse(read('security-requirements.yml'));

export function rulesPage(): string {
  const groups = Object.entries(rules()).map(([group, own]) => {
    const items = Object.entries(own).map(
      ([id, { says, decided, proven }]) =>
        `- **${id}** ${plain(says)}\\\n  Decided in ${code(decided)}, proven in ${code(proven)}.`,
    );
    return `## ${group}\n\n${items.join('\n')}\n`;
  });
  return [
    generatedBy('docs/reference/rules.yml'),
    '# Rules\n',
    'Tests, scenarios and comments cite rules by number: `[7.17]`, `D6`, `I2`, `F06`. Each cited rule stands here once.',
    'A new citation needs an entry in `rules.yml`. `tools/house/rules.spec.ts` compares both.\n',
    ...groups,
  ].join('\n');
}

export function requirementsPage(): string {
  const items = Object.entries(requirements()).map(([id, { demand, how, proven }]) => {
    const note = how === undefined ? '' : ` In detail: ${plain(how)}.`;
    return `- **${id}** ${plain(demand)}.${note}\\\n  Proven in ${proven.map(code).join(', ')}.`;
  });
  return [
    generatedBy('docs/reference/security-requirements.yml'),
    '# Security requirements\n',
    'Caravan follows OWASP ASVS 5.0 level 2 and the API Security Top 10 of 2023. Each requirement names the specs that',
    'prove it. `tools/house/security.spec.ts` fails when a named spec no longer does.\n',
    items.join('\n'),
    '',
  ].join('\n');
}
