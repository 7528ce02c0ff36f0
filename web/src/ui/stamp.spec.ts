import { expect, test } from 'vitest';
import { stampEdge } from './stamp-edge.ts';

test('the edge of a stamp is closed and has twenty scallops around its middle', () => {
  const edge = stampEdge();
  expect(edge.startsWith('M52 4A')).toBe(true);
  expect(edge.endsWith('52 4Z')).toBe(true);
  expect(edge.match(/A8\.6/g)).toHaveLength(20);
});
