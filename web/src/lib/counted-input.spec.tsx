import { characterCount } from '@caravan/contracts/domain/text/text';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ChangeEvent, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { countedInput } from './counted-input.ts';

afterEach(cleanup);

const family = '👨‍👩‍👧‍👦';

function Name({ maxLength, type }: { maxLength: number; type?: string }) {
  const [value, setValue] = useState('');
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => setValue(target.value);
  const props = { maxLength, type, onChange };
  return (
    <>
      <input aria-label="Name" {...props} value={value} {...countedInput<HTMLInputElement>(props)} />
      <output>{value}</output>
    </>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
const keptText = () => screen.getByRole('status').textContent;

test('[D44] a field of sixty characters takes sixty emojis, and no half of one more', () => {
  render(<Name maxLength={60} />);
  fireEvent.change(field(), { target: { value: family.repeat(60) } });
  expect([characterCount(field().value), keptText()]).toEqual([60, family.repeat(60)]);
  fireEvent.change(field(), { target: { value: `${family.repeat(60)}${family}🏃` } });
  expect([field().value, keptText()]).toEqual([family.repeat(60), family.repeat(60)]);
});

test('what is composed is shown whole, and fitted when it is there', () => {
  render(<Name maxLength={2} />);
  const composing = new InputEvent('input', { bubbles: true, isComposing: true });
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), 'あいう');
  fireEvent(field(), composing);
  expect(keptText()).toBe('あいう');
  fireEvent.compositionEnd(field());
  expect([field().value, keptText()]).toEqual(['あい', 'あい']);
});

test('the direction follows what is typed, but in what machines read', () => {
  const { rerender } = render(<Name maxLength={60} />);
  expect([field().dir, field().maxLength]).toEqual(['auto', -1]);
  rerender(<Name maxLength={254} type="email" />);
  expect([field().dir, field().maxLength]).toEqual(['', 254]);
});
