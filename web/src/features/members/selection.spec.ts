import { expect, test } from 'vitest';
import { togglePage, toggle } from './selection.ts';

const elsewhere = new Set(['on another page']);
const page = [{ id: 'maya' }, { id: 'omar' }];

test('[D43] a member is selected and let go alone; who is selected on other pages stays', () => {
  const one = toggle(elsewhere, 'maya');
  expect([...one]).toEqual(['on another page', 'maya']);
  expect([...toggle(one, 'maya')]).toEqual(['on another page']);
  expect([...elsewhere]).toEqual(['on another page']);
});

test('[D43] a page is selected whole, also when some of it is, and let go when all of it was', () => {
  const whole = togglePage(toggle(elsewhere, 'omar'), page);
  expect(whole).toEqual(new Set(['on another page', 'omar', 'maya']));
  expect([...togglePage(whole, page)]).toEqual(['on another page']);
});
