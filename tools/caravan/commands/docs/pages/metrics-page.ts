import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts } from '../../../containers/queries.ts';
import { root } from '../../../process/paths.ts';
import { code, generatedBy, plain } from './markdown.ts';

type Metric = { readonly name: string; readonly help: string };

/** A metric is registered by its name, followed by its help text. */
const registration = /'(caravan_[a-z_]+)',\s+(?:help: )?(?:'([^']+)'|`([^`]+)`|"([^"]+)"|(\w+))/g;

const notMetrics = new Set(['caravan_activity', 'caravan_outbox']);

export function metricsIn(source: string): Metric[] {
  return [...source.matchAll(registration)].map(([, name = '', single, template, double, variable]) => {
    const [, helped] = new RegExp(String.raw`const ${variable ?? 'none'} =\s*'([^']+)'`).exec(source) ?? [];
    return { name, help: single ?? template ?? double ?? helped ?? '' };
  });
}

export function metrics(): Metric[] {
  const files = globSync('{libs,services/*/src,gateway/src}/**/*.ts', { cwd: root });
  const sources = files.filter((file) => !/\.spec\.ts$|node_modules/.test(file));
  const found = sources.flatMap((file) => metricsIn(readFileSync(join(root, file), 'utf8')));
  return found.filter(({ name }) => !notMetrics.has(name)).toSorted((one, other) => one.name.localeCompare(other.name));
}

export function metricsPage(): string {
  const alerting = alerts().map(({ alert, annotations, labels }) => {
    const summary = plain(annotations.summary.replaceAll(/\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}/g, '($1)'));
    return `- [${alert}](../operate/runbooks.md#${alert.toLowerCase()}), ${labels.severity}: ${summary}`;
  });
  return [
    generatedBy('the sources and infra/observability/prometheus/alerts.yml'),
    '# Metrics and alerts\n',
    'Services answer `/metrics` ([how to scrape them](../operate/monitoring.md)). `infra/observability` has dashboards.\n',
    '## Metrics\n',
    metrics()
      .map(({ name, help }) => `- ${code(name)}: ${plain(help)}`)
      .join('\n'),
    '\n## Alerts\n',
    alerting.join('\n'),
    '',
  ].join('\n');
}
