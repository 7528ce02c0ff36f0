import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import '../testing/app.tsx';
import { DateField } from './date-field.tsx';

const words = 'Enter a date that exists, from 1900 to 2199.';

function open() {
  const onValue = vi.fn<(value: string) => void>();
  const Form = () => {
    const [value, setValue] = useState('');
    onValue(value);
    return <DateField label="From" value={value} onValue={setValue} />;
  };
  render(
    <I18nProvider i18n={i18n}>
      <Form />
    </I18nProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('From');
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  return { field, type, onValue };
}

test('[D8 D37] while a year is typed nothing is said and no date is taken; the finished date is taken', () => {
  const { type, onValue } = open();
  for (const value of ['0002-11-26', '0020-11-26', '0202-11-26']) type(value);
  expect(screen.queryByText(words)).toBeNull();
  type('2026-11-26');
  expect(new Set(onValue.mock.calls.flat())).toEqual(new Set(['', '2026-11-26']));
});

test('[D8 D37] a field that is left with a year that the server refuses says which dates there are', () => {
  const { field, type } = open();
  type('0026-11-01');
  fireEvent.blur(field);
  expect(screen.getByText(words)).toBeDefined();
  expect(field.validity.valid).toBe(false);
  type('2026-11-01');
  expect(screen.queryByText(words)).toBeNull();
  expect(field.validity.valid).toBe(true);
});

test.each(['1899-12-31', '2200-01-01'])('[D8] the date %s is refused at its field', (value) => {
  const { type, onValue } = open();
  type(value);
  expect(screen.getByText(words)).toBeDefined();
  expect(onValue).not.toHaveBeenCalledWith(value);
});
