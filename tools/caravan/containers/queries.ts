import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../process/paths.ts';

const folder = join(root, 'infra/observability');

const alertSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});

const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(alertSchema) })),
});

export const alerts = () =>
  rulesSchema
    .parse(parse(readFileSync(join(folder, 'prometheus/alerts.yml'), 'utf8')))
    .groups.flatMap(({ rules }) => rules);

const dashboardSchema = z.looseObject({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.looseObject({
      title: z.string(),
      datasource: z.object({ type: z.literal('prometheus'), uid: z.string() }),
      fieldConfig: z.looseObject({ defaults: z.looseObject({ unit: z.string() }) }),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
});

export const dashboards = () =>
  globSync('grafana/dashboards/*.json', { cwd: folder }).map((file) =>
    dashboardSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  );

/** The figure that an alert looks at, whether it is called for or not. */
const figureOf = (expr: string): string => (expr.split(' unless ')[0] ?? '').replaceAll(/\s+(>|==)\s+[\d.]+/g, '');

export type Query = { readonly of: string; readonly expr: string };

/** All that alerts and dashboards ask of Prometheus, rates over half a minute where a dashboard leaves it open. */
export const queries = (): Query[] => [
  ...alerts().map(({ alert, expr }) => ({ of: alert, expr: figureOf(expr) })),
  ...dashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({
        of: `${title} › ${panel.title}`,
        expr: expr.replaceAll('$__rate_interval', '30s'),
      })),
    ),
  ),
];
