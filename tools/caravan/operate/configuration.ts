import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityEnvSchema } from '@caravan/activity/env';
import { serviceNames } from '@caravan/contracts/events/topics';
import { gatewayEnvSchema } from '@caravan/gateway/env';
import { identityEnvSchema } from '@caravan/identity/env';
import { integrationsEnvSchema } from '@caravan/integrations/env';
import { serviceEnvSchema } from '@caravan/service-kit/process/env';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { operateEnvSchema } from './operate-env.ts';
import { root } from '../process/paths.ts';

const own = { identity: identityEnvSchema, activity: activityEnvSchema, integrations: integrationsEnvSchema };
const schemas: Readonly<Record<string, z.ZodObject>> = {
  gateway: gatewayEnvSchema,
  ...Object.fromEntries(
    serviceNames.map((name) => [name, name in own ? own[name as keyof typeof own] : serviceEnvSchema]),
  ),
  prepare: operateEnvSchema,
};

export const configurationFile = join(root, 'docs/reference/settings.md');

const opening = `<!-- Generated from .env.example and the schemas that processes check their settings with by ./caravan docs --write. Do not edit. -->

# Settings

Processes read these variables from their environment once, when they start. A process without a needed or valid setting names it and does not start. An empty value counts as missing. \`.env.example\` holds all of them to copy. \`./caravan up\` sets them itself.
`;

type Setting = { readonly name: string; readonly example: string; readonly means: string };
type Section = { readonly title: string; readonly settings: Setting[] };

/** Of .env.example: a comment belongs to the variable below it, without one, to the section. */
function sectionsOf(example: string): Section[] {
  const sections: Section[] = [];
  let words: string[] = [];
  for (const line of example.split('\n')) {
    const [, title] = /^# --- (.*?) -*$/.exec(line) ?? [];
    const [, name, value = ''] = /^([A-Z][A-Z\d_]+)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, settings: [] });
    else if (name !== undefined) sections.at(-1)?.settings.push({ name, example: value, means: words.join(' ') });
    else if (line.startsWith('# ')) words.push(line.slice(2));
    if (!line.startsWith('# ') || title !== undefined) words = [];
  }
  return sections;
}

const readersOf = (name: string): string[] =>
  Object.keys(schemas).filter((process) => name in (schemas[process]?.shape ?? {}));

const fieldOf = (name: string): z.ZodType | undefined =>
  Object.values(schemas).flatMap(({ shape }) => (shape as Record<string, z.ZodType>)[name] ?? [])[0];

function readBy(name: string): string {
  const readers = readersOf(name);
  const services = readers.filter((reader) => serviceNames.some((service) => service === reader));
  if (services.length < serviceNames.length) return readers.join(', ') || 'Compose';
  return ['all services', ...readers.filter((reader) => !services.includes(reader))].join(', ');
}

const shownValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join(',') : String(value)));

function fallbackOf(field: z.ZodType | undefined, example: string): string {
  if (!field) return example === '' ? '' : code(example);
  const parsed = field.safeParse(undefined);
  if (!parsed.success) return '**needed**';
  const { data: value } = shownValue.safeParse(parsed.data);
  return value === undefined || value === '' ? 'none' : code(value);
}

const code = (text: string): string => `\`${text}\``;

const shapeOf = z.object({
  enum: z.array(z.string()).optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
});

function takenBy(field: z.ZodType | undefined): string {
  if (!field) return 'text';
  // What comes in as text counts by what it is read as.
  const input = shapeOf.parse(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }));
  const output = shapeOf.parse(z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' }));
  if (input.enum) return input.enum.map(code).join(', ');
  if (output.type === 'number' || output.type === 'integer') return rangeOf(output);
  const formats: Record<string, string> = { uri: 'a URL', uuid: 'a UUID', base64: 'base64' };
  return formats[input.format ?? ''] ?? 'text';
}

function rangeOf({ type, minimum, maximum, exclusiveMinimum }: z.infer<typeof shapeOf>): string {
  const what = type === 'integer' ? 'a whole number' : 'a number';
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? `from ${minimum}` : undefined;
  const above = exclusiveMinimum === undefined ? least : `above ${exclusiveMinimum}`;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `to ${maximum}` : undefined;
  return [what, above, most].filter((part) => part !== undefined).join(' ');
}

const plain = (text: string): string =>
  text.replaceAll(/(https?|smtps?|rediss?):\/\/[^\s,;]+/g, code).replaceAll(/<(\w)/g, '&lt;$1');

function tableOf({ title, settings }: Section): string {
  const rows = settings.map(({ name, example }) => {
    const field = fieldOf(name);
    return `| ${[code(name), readBy(name), fallbackOf(field, example), takenBy(field)].join(' | ')} |`;
  });
  const meanings = settings
    .filter(({ means }) => means !== '')
    .map(({ name, means }) => `- ${code(name)}: ${plain(means)}`);
  const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  const table = `| setting | read by | if not set | takes |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
  return `## ${heading}\n\n${table}\n\n${meanings.join('\n')}\n`;
}

/** The reference of all settings, as it stands in docs/reference/settings.md. */
export async function configurationText(): Promise<string> {
  const sections = sectionsOf(readFileSync(join(root, '.env.example'), 'utf8'));
  const text = [opening, ...sections.map(tableOf)].join('\n');
  return format(text, { ...(await resolveConfig(configurationFile)), parser: 'markdown' });
}
