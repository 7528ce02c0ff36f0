import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../paths.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const alertSchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});
const groupsSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(alertSchema) })),
});
const alerts = groupsSchema
  .parse(parse(read('infra/observability/prometheus/alerts.yml')))
  .groups.flatMap(({ rules }) => rules);

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

test('every alert asks for figures that processes tell', () => {
  expect(alerts.length).toBeGreaterThan(10);
  for (const { alert, expr } of alerts)
    expect([alert, namesIn(expr).filter((name) => !isThere(name))]).toEqual([alert, []]);
});

test('what clusters scale by are figures that processes tell', () => {
  const names = namesIn(read('infra/k8s/overlays/production/scaling.yaml'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test('every alert has a chapter in the runbooks, and every chapter an alert', () => {
  const chapters = [...read('docs/operating/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(chapters).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(`docs/operating/runbooks.md#${alert.toLowerCase()}`);
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
