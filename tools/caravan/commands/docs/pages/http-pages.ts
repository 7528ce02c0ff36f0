import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../process/paths.ts';
import { fieldsIn, typeIn } from './json-schema.ts';
import { code, generatedBy, plain } from './markdown.ts';

const content = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional() });
const operationSchema = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  security: z.array(z.unknown()),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: z.unknown() }))
    .optional(),
  requestBody: content.optional(),
  responses: z.record(z.string(), content.extend({ description: z.string() })),
});
type Operation = z.infer<typeof operationSchema>;

const documentSchema = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

const document = () => documentSchema.parse(JSON.parse(readFileSync(join(root, 'docs/api/openapi.json'), 'utf8')));

const schemaOf = ({ content: body = {} }: z.infer<typeof content>): unknown =>
  Object.values(body).find(({ schema }) => schema !== undefined)?.schema;

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function fields(schema: unknown): string {
  const rows = fieldsIn(schema).map(
    ({ path, type, isRequired }) => `${code(path)}${isRequired ? '' : ' (optional)'}: ${plain(type)}`,
  );
  return rows.length === 0 ? `- ${plain(typeIn(schema))}` : list(rows);
}

function parameters({ parameters: own = [] }: Operation): string {
  if (own.length === 0) return '';
  const rows = own.map(
    ({ name, in: place, required, schema }) =>
      `${code(name)} in the ${place}${required === true ? '' : ' (optional)'}: ${plain(typeIn(schema))}`,
  );
  return `\n**Parameters**\n\n${list(rows)}\n`;
}

function answers({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description }]) => `${code(status)} ${plain(description)}`);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema = success && schemaOf(success);
  const shape = schema === undefined ? '' : `\n**Fields of the answer**\n\n${fields(schema)}\n`;
  return `\n**Answers**\n\n${list(rows)}\n${shape}`;
}

function section(path: string, method: string, operation: Operation): string {
  const body = operation.requestBody && schemaOf(operation.requestBody);
  return [
    `## ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, (brace) => `\\${brace}`)}\n`,
    `${plain(operation.summary)}${operation.security.length === 0 ? ' Needs no access token.' : ''}`,
    parameters(operation),
    body === undefined ? '' : `\n**Body**\n\n${fields(body)}\n`,
    answers(operation),
  ].join('\n');
}

/** A page for each part of the product that answers requests. */
export function httpPages(): { readonly name: string; readonly text: string }[] {
  const { paths, tags, info } = document();
  return tags.map(({ name }) => {
    const own = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        operation.tags.includes(name) ? [section(path, method, operation)] : [],
      ),
    );
    const title = `# HTTP API: ${name}\n\n${plain(info.description)}\n`;
    return { name, text: [generatedBy('docs/api/openapi.json'), title, ...own].join('\n') };
  });
}
