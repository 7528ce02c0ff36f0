import { envelopeSchema } from '@caravan/contracts/events/envelope';
import { describe, expect, test } from 'vitest';
import { typeAhead } from '../consumer/consumer.ts';
import { bytesOf, messageOf, type OutboxRow, upToBytes } from './outbox.ts';

const row: OutboxRow = {
  shard: 3,
  pos: 77,
  epoch: 9,
  partitionKey: 'ma"ya',
  eventId: '0199b1f0-0000-7000-8000-000000000001',
  orgId: '0199b1f0-0000-7000-8000-0000000000a0',
  type: 'Counted',
  version: 1,
  data: '{"n": 7, "text": "ü"}',
  causes: '{}',
  actorId: null,
  occurredAt: '2026-11-21T12:00:00.123Z',
  traceparent: null,
  isBehindRefused: false,
  seen: '1:1:',
};
const sendRow = (given: Partial<OutboxRow>) => {
  const { value, ...message } = messageOf({ ...row, ...given }, 'scoring');
  return { ...message, envelope: envelopeSchema.parse(JSON.parse(String(value))) };
};

describe('a row of the outbox on its way to Kafka', () => {
  test('tells its type ahead of all that has to be parsed', () => {
    const { value } = messageOf(row, 'scoring');
    expect(typeAhead({ value: Buffer.from(value ?? '') })).toBe('Counted');
    expect(
      [null, Buffer.from('{}'), Buffer.from('{"type":"Counted"}')].map((other) => typeAhead({ value: other })),
    ).toEqual([undefined, undefined, undefined]);
  });

  test('is an envelope under its key', () => {
    expect(sendRow({})).toEqual({
      key: 'ma"ya',
      envelope: {
        id: row.eventId,
        type: 'Counted',
        version: 1,
        orgId: row.orgId,
        key: 'ma"ya',
        position: 77,
        positions: { scoring: 77 },
        epochs: { scoring: 9 },
        occurredAt: row.occurredAt,
        actorId: null,
        data: { n: 7, text: 'ü' },
      },
    });
  });

  test('stands on its own position and on those of its causes, its own first', () => {
    const activity = '"activity": {"epoch": 4, "position": 123}';
    expect(sendRow({ causes: `{${activity}}` }).envelope).toMatchObject({
      positions: { activity: 123, scoring: 77 },
      epochs: { activity: 4, scoring: 9 },
    });
    const withOwn = ` {"scoring": {"epoch": 9, "position": 5}, ${activity}} `;
    expect(sendRow({ causes: withOwn }).envelope.positions).toEqual({ activity: 123, scoring: 77 });
  });

  test('carries who asked and the trace', () => {
    const actorId = '0199b1f0-0000-7000-8000-0000000000b0';
    const message = sendRow({ actorId, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
    expect(message.envelope.actorId).toBe(actorId);
    expect(message.headers).toEqual({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
  });

  test('travels with as many others as a request may hold, but never with none', () => {
    const large = { row, message: { key: 'maya', value: 'x'.repeat(1_000) } };
    expect(upToBytes([large, large, large], 3_100).length).toBe(2);
    expect(upToBytes([large, large], 10_000).length).toBe(2);
    expect(upToBytes([large, large], 10).length).toBe(1);
    expect(upToBytes([], 10)).toEqual([]);
  });

  test('is counted in bytes: what is no ASCII, the key and the headers included', () => {
    const plain = bytesOf({ key: 'maya', value: 'x'.repeat(100) });
    expect(bytesOf({ key: 'maya', value: 'ü'.repeat(100) }) - plain).toBe(100);
    expect(bytesOf({ key: 'maya', value: '🐙'.repeat(50) }) - plain).toBe(100);
    expect(bytesOf({ key: 'mäyä', value: 'x'.repeat(100) }) - plain).toBe(2);
    expect(bytesOf({ key: 'maya', value: null, headers: { traceparent: 'x'.repeat(100) } })).toBeGreaterThan(plain);
    const exotic = { row, message: { key: 'maya', value: 'ü'.repeat(1_000) } };
    expect(upToBytes([exotic, exotic], 3_100).length).toBe(1);
  });
});
