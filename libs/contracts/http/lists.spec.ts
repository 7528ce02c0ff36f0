import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from './operations.ts';

/** The ledger says its total too (D43), and the activity feed has the shape that the specification names (7.30). */
const objects = new Set(['listMiles', 'readActivitiesOfAll', 'readActivitiesOfTeam', 'readOwnActivities']);

test('[D17 D43] every list that is read page by page is an array, but for the ledger and the activity feed', () => {
  const paged = Object.entries(operations).filter(
    ([, operation]) =>
      'query' in operation && operation.query instanceof z.ZodObject && 'cursor' in operation.query.shape,
  );
  expect(paged.length).toBeGreaterThan(10);
  const others = paged.flatMap(([id, { answers }]) => {
    const answer = (answers as Record<number, z.ZodType | undefined>)[200];
    return answer instanceof z.ZodArray || answer instanceof z.ZodReadonly ? [] : [id];
  });
  expect(new Set(others)).toEqual(objects);
});
