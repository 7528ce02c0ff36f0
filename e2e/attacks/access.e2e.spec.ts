import { connect } from 'node:net';
import { forgedTokens, testKey } from '@caravan/auth/testing/tokens';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { openApiDocument } from '@caravan/contracts/http/openapi';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { expect, test } from '@playwright/test';
import { target } from '../env.ts';
import { exampleCall, examples } from './examples.ts';
import { allOperations } from './places.ts';
import { send } from './send.ts';
import { type Party, party } from './world.ts';

let home: Party;
let forged: Record<string, string>;

test.beforeAll(async () => {
  home = await party('Access');
  // The instance's own public key, as an attacker would have it.
  const { keys } = (await (await fetch(`${target().url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  forged = await forgedTokens(testKey(keys[0]?.kid));
});

const closed = allOperations.filter(([, { access }]) => access !== 'public' && access !== 'cookie');
const ofServices = allOperations.filter(([, { service }]) => service !== 'gateway');
const addressOf = (service: string) => target().services[service as ServiceName];

test('[6.3 S01] every operation but those that bring people in needs a token', async () => {
  expect(closed.length).toBeGreaterThan(30);
  for (const [id, operation] of closed) {
    const call = examples[id].call?.(home);
    const { status, json } = await send(operation, call);
    expect([id, status, (json as { status: number }).status]).toEqual([id, 401, 401]);
  }
});

test('[S02 S03] forged and foreign tokens are refused at the gateway and at each service’s own port', async () => {
  for (const [id, operation] of closed)
    for (const [title, token] of Object.entries(forged)) {
      expect([id, title, (await send(operation, {}, { token })).status]).toEqual([id, title, 401]);
      if (operation.service === 'gateway') continue;
      const at = addressOf(operation.service);
      expect([id, title, (await send(operation, {}, { token, at })).status]).toEqual([id, title, 401]);
    }
});

test('[S03] at a service’s own port nobody is let in who is not let in at the gateway', async () => {
  for (const [id, operation] of ofServices) {
    if (operation.access === 'public' || operation.access === 'cookie') continue;
    const at = addressOf(operation.service);
    expect([id, (await send(operation, {}, { at })).status]).toEqual([id, 401]);
    const named = await fetch(`${at}${operation.path}`, { headers: { 'x-user-id': home.admin.id } });
    expect([401, 405]).toContain(named.status);
  }
});

test('[6.1 S21 D3] every operation of admins refuses members with 403', async () => {
  const ofAdmins = allOperations.filter(([, { access }]) => access === 'admin');
  expect(ofAdmins.length).toBeGreaterThan(8);
  for (const [id, operation] of ofAdmins) {
    const { call } = await exampleCall(examples[id], home, 'admin');
    const { status, json } = await send(operation, call, home.member);
    expect([id, status, (json as { code: string }).code]).toEqual([id, 403, 'auth/not-an-admin']);
  }
});

test('[D54 S22] every operation refuses a guest with 409, except those of the guest’s own account', async () => {
  for (const [id, operation] of closed) {
    const isOpen = operation.access === 'guest';
    // Some of the operations that a guest may call end sessions and accounts.
    const guest = isOpen ? await home.newGuest() : await home.guest();
    const { status, json } = await send(operation, examples[id].call?.(home), guest);
    const { code } = (json ?? {}) as { code?: string };
    expect([id, code === 'email/unconfirmed', status === 409]).toEqual([id, !isOpen, !isOpen]);
    expect([id, [401, 403].includes(status)]).toEqual([id, false]);
  }
});

test('[S40] the document that is served describes exactly the operations there are', async () => {
  const served = (await (await fetch(`${target().url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  expect(served).toEqual(openApiDocument());
  const described = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(described.toSorted()).toEqual(allOperations.map(([, { method, path }]) => `${method} ${path}`).toSorted());
});

test('[S40] behind each path a service takes the methods of its operations and no others', async () => {
  for (const [path, service] of new Map(ofServices.map(([, operation]) => [operation.path, operation.service]))) {
    // A part of any name takes a word that stands elsewhere by itself, too.
    const isBehind = (other: string) => new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const behind = ofServices.filter(([, other]) => other.service === service && isBehind(other.path));
    const methods = new Set(behind.map(([, { method }]) => method.toUpperCase()));
    if (methods.has('GET')) methods.add('HEAD');
    const answer = await fetch(`${addressOf(service)}${path}`, { method: 'OPTIONS' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, [...methods].toSorted().join(', ')]);
  }
});

test('[S40] unknown paths do not exist, and nobody can TRACE', async () => {
  const { token } = home.admin;
  const headers = { authorization: `Bearer ${token}` };
  const unknown = ['/api', '/api/', '/api/admin', '/api/debug', '/api/users', '/api/graphql', '/api/me/../internal'];
  for (const path of [...unknown, '/api/log/x', '/api/openapi.yaml', '/api/metrics', '/api/internal/my-data'])
    expect([path, (await fetch(`${target().url}${path}`, { headers })).status]).toEqual([path, 404]);
  for (const url of [target().url, ...serviceNames.map(addressOf)]) {
    const [, , host = '', port = ''] = /^(https?):..([^:]+):(\d+)/.exec(url) ?? [];
    expect([url, await statusOfTrace(host, Number(port), token)]).toEqual([
      url,
      expect.stringMatching(/^(400|404|405|501)$/),
    ]);
  }
});

test('[S39 D32] what services tell each other is not to be had through the gateway', async () => {
  const headers = { authorization: `Bearer ${home.admin.token}` };
  for (const path of [myDataPath, `/internal/sessions/${home.admin.sessionId}`, '/metrics', '/health/ready']) {
    const answer = await fetch(`${target().url}${path}`, { headers });
    expect(await answer.text()).not.toMatch(/"files"|"state"|process_cpu|^# HELP/);
  }
});

test('[S39] a service’s own port answers no stranger about sessions, figures or data, whoever signed in', async () => {
  const headers = { authorization: `Bearer ${home.admin.token}`, 'x-service-credential': 'x'.repeat(32) };
  const paths = [myDataPath, '/metrics', '/metrics?x=1', `/internal/sessions/${home.admin.sessionId}`];
  for (const service of serviceNames)
    for (const path of paths) {
      const { status } = await fetch(`${addressOf(service)}${path}`, { headers });
      // Only identity knows of sessions, and it holds data of its own accord.
      const isThere = service === 'identity' ? path !== myDataPath : !path.startsWith('/internal/sessions');
      expect([service, path, status]).toEqual([service, path, isThere ? 401 : 404]);
    }
});

/** `fetch` refuses to send TRACE, whose answer would be the request, token included. */
function statusOfTrace(host: string, port: number, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () =>
      socket.write(
        `TRACE /api/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      ),
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      expect(text).not.toContain(token);
      resolve(text.split(' ')[1] ?? '');
    });
  });
}
