import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityEvents } from '@caravan/contracts/events/activity.events';
import { actAudited } from '@caravan/contracts/events/audit.events';
import type { PublicEventContract } from '@caravan/contracts/events/envelope';
import { identityEvents } from '@caravan/contracts/events/identity.events';
import { integrationsEvents } from '@caravan/contracts/events/integrations.events';
import { scoringEvents } from '@caravan/contracts/events/scoring.events';
import { socialEvents } from '@caravan/contracts/events/social.events';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const events: Readonly<Record<ServiceName, object>> = {
  identity: identityEvents,
  activity: activityEvents,
  scoring: scoringEvents,
  social: socialEvents,
  integrations: integrationsEvents,
};
const known = new Set(Object.values(events).flatMap((each) => Object.keys(each)));

/** The events that a README names from one of its words in bold to the next one, or to the next heading. */
function namesIn(service: ServiceName, word: 'Publishes' | 'Consumes'): string[] {
  const readme = readFileSync(join(root, `services/${service}/README.md`), 'utf8');
  const [, after = ''] = readme.split(`**${word}**`);
  const [part = ''] = after.split(/\*\*|^## /m);
  return [...part.matchAll(/`([A-Z][A-Za-z]+)`/g)].flatMap(([, name = '']) => (known.has(name) ? name : [])).toSorted();
}

function consumedBy(service: ServiceName): string[] {
  const files = globSync(`services/${service}/src/**/*.consumer.ts`, { cwd: root });
  const contracts = files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/contract: (\w+)/g)].map(([, name = '']) => name),
  );
  return [...new Set(contracts.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`))].toSorted();
}

test.each(serviceNames)('the README of %s names every event that the service publishes, and no other', (service) => {
  expect(namesIn(service, 'Publishes')).toEqual(Object.keys(events[service]).toSorted());
});

/** The events that the `public-events.ts` files of a service build, each with its version. */
function builtBy(service: ServiceName): string[] {
  const files = globSync(`services/${service}/src/*/public-events.ts`, { cwd: root });
  const found = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const own = [...text.matchAll(/\btype: '([A-Z]\w+)',\s+version: (\d+)/g)].map(
      ([, type, version]) => `${type} ${version}`,
    );
    return /\bauditedAct\(/.test(text) ? [...own, `${actAudited.type} ${actAudited.version}`] : own;
  });
  return [...new Set(found)].toSorted();
}

test.each(serviceNames)('the public-events files of %s build every event of its contract, and no other', (service) => {
  const contracts: PublicEventContract[] = Object.values(events[service]);
  expect(builtBy(service)).toEqual(contracts.map(({ type, version }) => `${type} ${version}`).toSorted());
});

test.each(serviceNames)('the README of %s names every event that the service consumes, and no other', (service) => {
  expect([...new Set(namesIn(service, 'Consumes'))]).toEqual(consumedBy(service));
});

test('documents run programs of npm by ./caravan, so that they run under the pinned Node', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{bench,gateway,infra,services,tools,web}/**/*.md'], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  const bare = documents.flatMap((path) =>
    // The help text of the launcher names programs that it runs itself.
    (path === 'docs/reference/commands.md' ? '' : readFileSync(join(root, path), 'utf8'))
      .split('\n')
      .filter((line) => /(?<!\.\/caravan )\b(npx|npm run|npm audit|npm exec) /.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(documents.length).toBeGreaterThan(50);
  expect(bare).toEqual([]);
});
