import { randomUUID } from '@caravan/contracts/testing/seeded';
import { expect, test } from '@playwright/test';
import { exampleCall, examples } from './examples.ts';
import { allOperations } from './places.ts';
import { send } from './send.ts';
import { type Party, party } from './world.ts';

let home: Party;

test.beforeAll(async () => {
  home = await party('Keys');
});

const keyed = allOperations.filter(([, { isIdempotent }]) => isIdempotent === true);

for (const [id, operation] of keyed)
  test(`[D38] ${id} is done once under one key, and another body under it is refused`, async () => {
    const { person, call } = await exampleCall(examples[id], home, operation.access);
    const sender = { token: person.token, key: randomUUID() };
    const first = await send(operation, call, sender);
    expect(first.status, first.told).toBeLessThan(300);
    const again = await send(operation, call, sender);
    expect([again.status, again.json]).toEqual([first.status, first.json]);
    const body = Object.assign({}, call.body, { another: 'body' });
    const other = await send(operation, { ...call, body }, sender);
    expect([other.status, other.json]).toEqual([422, expect.objectContaining({ code: 'idempotency/key-reused' })]);
  });
