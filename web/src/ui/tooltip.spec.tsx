import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import '../testing/app.tsx';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

const shownText = () => screen.queryByRole('tooltip')?.textContent;
function pass(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}
const enter = (name: string) =>
  fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse', clientX: 5, clientY: 5 });
const close = () => fireEvent.keyDown(document, { key: 'Escape' });

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <TooltipProvider>
      <Tooltip text="Rings when something happens">
        <button type="button">Bell</button>
      </Tooltip>
      <Tooltip text="Opens what you can set">
        <button type="button">Gear</button>
      </Tooltip>
    </TooltipProvider>,
  );
  return () => vi.useRealTimers();
});

test('[9.29] a tooltip shows after 700 ms', () => {
  enter('Bell');
  pass(699);
  expect(shownText()).toBeUndefined();
  pass(1);
  expect(shownText()).toBe('Rings when something happens');
});

for (const [milliseconds, next] of [
  [299, 'Opens what you can set'],
  [301, undefined],
] as const)
  test(`[9.29] ${milliseconds} ms after a tooltip the next one ${next ? 'shows at once' : 'waits again'}`, () => {
    enter('Bell');
    pass(700);
    close();
    expect(shownText()).toBeUndefined();
    pass(milliseconds);
    enter('Gear');
    pass(0);
    expect(shownText()).toBe(next);
  });
