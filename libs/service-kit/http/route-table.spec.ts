import { expect, test } from 'vitest';
import { RouteTable } from './route-table.ts';

const table = new RouteTable();
table.add('GET', '/api/logs');
table.add(['HEAD'], '/api/logs');
table.add('PATCH', '/api/logs/:id');
table.add('GET', '/api/files/*');

test('a known path names the methods it takes', () => {
  expect(table.methodsOf('/api/logs')).toEqual(['GET', 'HEAD']);
  expect(table.methodsOf('/api/logs/7')).toEqual(['PATCH']);
  expect(table.methodsOf('/api/files/a/b')).toEqual(['GET']);
});

test('an unknown path names none', () => {
  expect(table.methodsOf('/api/logs/7/8')).toEqual([]);
  expect(table.methodsOf('/api/logsX')).toEqual([]);
  expect(table.methodsOf('/')).toEqual([]);
});
