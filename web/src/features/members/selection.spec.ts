import { expect, test } from 'vitest';
import { pageToggled, toggled } from './selection.ts';

const elsewhere = new Set(['on another page']);
const page = [{ id: 'maya' }, { id: 'omar' }];

test('[D43] a member is selected and let go alone; who is selected on other pages stays', () => {
  const one = toggled(elsewhere, 'maya');
  expect([...one]).toEqual(['on another page', 'maya']);
  expect([...toggled(one, 'maya')]).toEqual(['on another page']);
  expect([...elsewhere]).toEqual(['on another page']);
});

test('[D43] a page is selected whole, also when some of it is, and let go when all of it was', () => {
  const whole = pageToggled(toggled(elsewhere, 'omar'), page);
  expect(whole).toEqual(new Set(['on another page', 'omar', 'maya']));
  expect([...pageToggled(whole, page)]).toEqual(['on another page']);
});
