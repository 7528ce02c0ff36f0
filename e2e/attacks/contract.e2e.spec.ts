import { liveFramesSchema, liveMessageSchema } from '@caravan/contracts/http/live';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { expect, test } from '@playwright/test';
import { target } from '../env.ts';
import { type Answer, Document } from './document.ts';
import { exampleCall, examples } from './examples.ts';
import { bodiesOf, hostileBodies, hostileTexts, tamperedTokens } from './hostile.ts';
import { allOperations, fieldsOf, type OperationId } from './places.ts';
import { type Call, pathOf } from './send.ts';
import { must, type Party, party, type Person } from './world.ts';

let home: Party;
let document: Document;

test.beforeAll(async () => {
  home = await party('Contract');
  document = await Document.fetchDocument(target().url);
});

type Attempt = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

const json = { 'content-type': 'application/json' };
const ownFields = (schema: Operation['query']) => fieldsOf(schema).filter((name) => !name.includes('.'));
const credentials = ({ access }: Operation, person: Person): Record<string, string> =>
  access === 'cookie' ? { cookie: person.cookie } : { authorization: `Bearer ${person.token}` };

/** The right call, and the same by those who may not make it. */
function rightAndStrange(operation: Operation, call: Call, person: Person): Attempt[] {
  const path = pathOf(operation, call);
  const body = operation.body && { body: JSON.stringify(call.body ?? {}) };
  const right = { path, headers: { ...json, ...credentials(operation, person) }, ...body };
  const senders = [{}, { authorization: 'Bearer nonsense' }, { authorization: `Bearer ${home.member.token}` }];
  return [
    right,
    ...(operation.access === 'admin' ? senders.map((sender) => ({ ...right, headers: { ...json, ...sender } })) : []),
  ];
}

/** The call with something hostile at one place after the other. */
function hostile(id: OperationId, operation: Operation, call: Call, person: Person): Attempt[] {
  const headers = { ...json, ...credentials(operation, person) };
  const sent = operation.body && { body: JSON.stringify(call.body ?? {}) };
  const path = pathOf(operation, call);
  const atQuery = ownFields(operation.query).flatMap((name) => {
    const values = name === 'cursor' ? [...hostileTexts, ...tamperedTokens(home.cursors[id])] : hostileTexts;
    const others = path.includes('?') ? `${path}&` : `${path}?`;
    return [...values, `1&${name}=2`].map((value) => ({ path: `${others}${name}=${value}`, headers, ...sent }));
  });
  const atPath = [...operation.path.matchAll(/\{(\w+)\}/g)].flatMap(([place]) =>
    hostileTexts.filter(Boolean).map((value) => ({ path: operation.path.replace(place, value), headers, ...sent })),
  );
  if (!operation.body) return [...atQuery, ...atPath];
  const badKey = { path, headers: { ...headers, 'idempotency-key': 'two words' }, body: '[]' };
  const notJson = { path, headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' };
  const atBody = [...hostileBodies, ...bodiesOf(call.body ?? {}, ownFields(operation.body))].map((body) => ({
    path,
    headers,
    body,
  }));
  return [...atQuery, ...atPath, badKey, notJson, ...atBody];
}

async function ask({ method }: Operation, { path, headers, body }: Attempt): Promise<Answer> {
  const answer = await fetch(`${target().url}${path}`, {
    method: method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (!mediaType.endsWith('json')) {
    await answer.body?.cancel();
    return { status: answer.status, mediaType };
  }
  return { status: answer.status, mediaType, body: await answer.json() };
}

/** Eight at a time; what the document does not say of an answer. */
async function undocumentedAnswers(
  id: OperationId,
  operation: Operation,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const surprises: string[] = [];
  const left = [...attempts];
  const work = async () => {
    for (let attempt = left.pop(); attempt; attempt = left.pop()) {
      const surprise = document.surprise(id, await ask(operation, attempt));
      const { path, body = '' } = attempt;
      if (surprise !== undefined) surprises.push(`${path.slice(0, 200)} ${body.slice(0, 200)}: ${surprise}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return surprises;
}

for (const [id, operation] of allOperations) {
  test(`[D38 S24 S37 S40] ${id} answers only what its document says, and never with an error of ours`, async () => {
    const example = examples[id];
    const usual = operation.access === 'admin' ? home.admin : home.member;
    const person = example.by ? await example.by(home) : usual;
    const call = example.call?.(home) ?? {};
    expect(await undocumentedAnswers(id, operation, hostile(id, operation, call, person))).toEqual([]);
    const right = await exampleCall(example, home, operation.access);
    for (const attempt of rightAndStrange(operation, right.call, right.person))
      expect(await undocumentedAnswers(id, operation, [attempt])).toEqual([]);
  });
}

test('[D35] the frames of the event stream are as its document describes them', async () => {
  // Not the member, who has asked for more than a minute's share by now.
  const listener = await home.newMember();
  const stream = await fetch(`${target().url}/api/events`, {
    headers: { authorization: `Bearer ${listener.token}` },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  await must('logMovement', listener, { body: { activityType: 'Walking', durationMinutes: 10 } });
  while (reader && !/data: .*\n\n/.test(heard)) heard += (await reader.read()).value ?? '';
  await reader?.cancel();
  expect(liveFramesSchema.parse(heard)).toBe(heard);
  for (const [, data = ''] of heard.matchAll(/^data: (.*)$/gm)) liveMessageSchema.strict().parse(JSON.parse(data));
});
