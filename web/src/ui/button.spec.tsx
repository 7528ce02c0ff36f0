import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Button } from './button.tsx';

const open = () => render(<Button>Send</Button>);
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

afterEach(cleanup);

test('whoever pressed a button by keyboard goes on from it once it is done', () => {
  const { rerender } = open();
  button().focus();
  rerender(<Button isBusy>Send</Button>);
  expect(button().disabled).toBe(true);
  // As browsers do with what is disabled.
  button().blur();
  rerender(<Button>Send</Button>);
  expect(document.activeElement).toBe(button());
});

test('a button that is done takes the focus from nothing else, and none that it had not', () => {
  const { rerender } = open();
  rerender(<Button isBusy>Send</Button>);
  rerender(<Button>Send</Button>);
  expect(document.activeElement).toBe(document.body);
  button().focus();
  rerender(
    <>
      <Button isBusy>Send</Button>
      <input aria-label="Next" />
    </>,
  );
  screen.getByRole('textbox', { name: 'Next' }).focus();
  rerender(
    <>
      <Button>Send</Button>
      <input aria-label="Next" />
    </>,
  );
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Next' }));
});
