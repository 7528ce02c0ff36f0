import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../process/paths.ts';
import { alerts as readAlerts, dashboards, queries } from './queries.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const alerts = readAlerts();

const testSchema = z.looseObject({
  tests: z.array(
    z.looseObject({
      alert_rule_test: z.array(z.looseObject({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});
const cases = testSchema
  .parse(parse(read('infra/observability/prometheus/alerts.test.yml')))
  .tests.flatMap((each) => each.alert_rule_test);

/** Of Prometheus itself, and what prom-client brings. */
const ofOthers = /^(up|process_\w+|nodejs_\w+)$/;

const sources = globSync('{libs,services/*/src,gateway/src}/**/*.ts', { cwd: root })
  .filter((file) => !/\.spec\.ts$|node_modules/.test(file))
  .map(read)
  .join('\n');
const declared = new Set([...sources.matchAll(/'(caravan_[a-z_]+)'/g)].map(([, name = '']) => name));

const namesIn = (query: string): string[] =>
  [...query.matchAll(/\b(caravan_[a-z_]+|process_[a-z_]+|nodejs_[a-z0-9_]+)\b/g)].map(([, name = '']) => name);
const isThere = (name: string): boolean =>
  ofOthers.test(name) || [name, name.replace(/_(bucket|count|sum)$/, '')].some((each) => declared.has(each));

test('every alert and every panel asks for figures that processes tell', () => {
  expect(queries().length).toBeGreaterThan(50);
  for (const { of, expr } of queries()) {
    const names = namesIn(expr);
    expect([of, names.length > 0 || expr.startsWith('up'), names.filter((name) => !isThere(name))]).toEqual([
      of,
      true,
      [],
    ]);
  }
});

test('every figure of ours stands on a dashboard', () => {
  const shown = new Set(
    dashboards().flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)))),
  );
  const isShown = (name: string) => [name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each));
  // Counted on the way to figures that are shown.
  const besides = [
    'caravan_activity',
    'caravan_outbox',
    'caravan_outbox_refused_total',
    'caravan_messages_parked_total',
  ];
  expect([...declared].filter((name) => !isShown(name) && !besides.includes(name))).toEqual([]);
});

test('panels have a unit, ask the one source, and lie beside each other', () => {
  const source = z.looseObject({ datasources: z.array(z.looseObject({ uid: z.string(), url: z.string() })) });
  const [prometheus] = source.parse(parse(read('infra/observability/grafana/datasources/prometheus.yaml'))).datasources;
  for (const { title, panels } of dashboards()) {
    expect(new Set(panels.map((panel) => panel.title)).size, title).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size, title).toBe(panels.length);
    for (const { datasource } of panels) expect(datasource.uid).toBe(prometheus?.uid);
  }
});

test('what clusters scale by are figures that processes tell', () => {
  const names = namesIn(read('infra/k8s/overlays/production/scaling.yaml'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test('every alert has a chapter in the runbooks, and every chapter an alert', () => {
  const chapters = [...read('docs/operate/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(chapters).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(`docs/operate/runbooks.md#${alert.toLowerCase()}`);
});

test('every alert is shown to fire, and to be silent', () => {
  for (const { alert } of alerts) {
    const own = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts: fired }) => fired.length > 0);
    expect([alert, own.toSorted()]).toEqual([alert, [false, true]]);
  }
});

test('an alert that calls somebody at once says what people notice within a few minutes', () => {
  const late = alerts.filter(
    ({ labels, for: wait = '0m' }) => labels.severity === 'critical' && Number.parseInt(wait, 10) > 5,
  );
  expect(late.map(({ alert }) => alert)).toEqual([]);
});
