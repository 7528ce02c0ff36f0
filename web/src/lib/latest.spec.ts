import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChangedMeanwhile, isUnanswered, mergeForm, withOwnChanges } from './latest.ts';
import { HttpError } from './http-error.ts';

type Form = { name: string; city: string; size: string };
const fields = ['name', 'city', 'size'] as const;

const text = fc.constantFrom('a', 'b', 'c');
const form: fc.Arbitrary<Form> = fc.record({ name: text, city: text, size: text });
const attempts = fc.array(form, { maxLength: 3 });

test('[D38] after lost answers a form saves what it shows in each field that the person ever changed, and keeps the others', () => {
  fc.assert(
    fc.property(form, attempts, form, fc.nat(3), (before, unanswered, draft, stored) => {
      // The server holds the state from before or one whose answer was lost.
      const now = [before, ...unanswered][stored] ?? before;
      const saved = mergeForm(before, draft, now, unanswered);
      for (const field of fields) {
        const isTouched = [draft, ...unanswered].some((state) => state[field] !== before[field]);
        expect(saved[field]).toBe(isTouched ? draft[field] : now[field]);
      }
      expect(withOwnChanges(before, draft, now, unanswered)).toEqual(saved);
    }),
  );
});

test('[7.31 7.32] a field that two people have changed is a clash, unless the other value is one’s own or the same', () => {
  const before = { name: 'a', city: 'a', size: 'a' };
  const draft = { ...before, name: 'b' };
  expect(() => mergeForm(before, draft, { ...before, name: 'c' })).toThrow(ChangedMeanwhile);
  expect(mergeForm(before, draft, { ...before, name: 'c' }, [{ ...before, name: 'c' }])).toEqual(draft);
  expect(mergeForm(before, draft, { ...draft, city: 'c' })).toEqual({ ...draft, city: 'c' });
});

test('[D38] an answer is lost when none arrives or the server fails, and not when the server refuses', () => {
  expect(isUnanswered(new TypeError('Failed to fetch'))).toBe(true);
  expect(isUnanswered(new HttpError(503, '', ''))).toBe(true);
  expect(isUnanswered(new HttpError(412, '', ''))).toBe(false);
  expect(isUnanswered(new ChangedMeanwhile({}, []))).toBe(false);
});
