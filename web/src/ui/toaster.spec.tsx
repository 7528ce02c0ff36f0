import { act, fireEvent, render, screen } from '@testing-library/react';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../testing/app.tsx';
import { Dialog } from './dialog.tsx';
import { toast, toastLimit, toastRemoveMilliseconds, useToasts } from './toast-state.ts';
import { Toaster } from './toaster.tsx';

const Kept = () => <output data-testid="kept">{useToasts().length}</output>;
const keptCount = () => Number(screen.getByTestId('kept').textContent);

function say(message: Parameters<typeof toast>[0]): void {
  act(() => {
    toast(message);
  });
}

function later(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

beforeEach(() => {
  // jsdom has no pointer capture.
  Object.assign(HTMLElement.prototype, {
    setPointerCapture: () => undefined,
    hasPointerCapture: () => true,
    releasePointerCapture: () => undefined,
  });
  vi.useFakeTimers();
  render(
    <I18nProvider i18n={i18n}>
      <Toaster />
      <Kept />
    </I18nProvider>,
  );
});

afterEach(() => {
  act(() => {
    vi.runAllTimers();
  });
  vi.useRealTimers();
});

test('[9.28] one toast at a time: a new one takes the place of the old', () => {
  say({ title: 'First' });
  say({ title: 'Second' });
  expect([screen.queryByText('First'), screen.getAllByText('Second').length > 0]).toEqual([null, true]);
  expect([keptCount(), toastLimit]).toEqual([1, 1]);
});

test('[4.37 9.28] a toast that may wait is shown after the one before, as long as any other', () => {
  say({ title: 'Saved' });
  say({ title: 'A badge', isPatient: true });
  say({ title: 'Another badge', isPatient: true });
  const shownTitles = () =>
    ['Saved', 'A badge', 'Another badge'].filter((title) => screen.queryAllByText(title).length > 0);
  const seen = [shownTitles()];
  for (let turn = 0; turn < 3; turn += 1) {
    later(4999);
    seen.push(shownTitles());
    later(1);
  }
  expect([...seen, shownTitles()]).toEqual([['Saved'], ['Saved'], ['A badge'], ['Another badge'], []]);
});

test('[4.37 9.28] a toast that may wait gives way to the answer to what somebody did, and comes again', () => {
  say({ title: 'A badge', isPatient: true });
  say({ title: 'Saved' });
  expect([screen.queryByText('A badge'), screen.queryAllByText('Saved').length > 0]).toEqual([null, true]);
  later(5000);
  expect(screen.queryAllByText('A badge')).not.toEqual([]);
});

test('[9.28] a toast shows 5000 ms', () => {
  say({ title: 'Hello' });
  later(4999);
  expect(screen.queryAllByText('Hello')).not.toEqual([]);
  later(1);
  expect(screen.queryAllByText('Hello')).toEqual([]);
});

test('[9.28] a toast may ask for another time', () => {
  say({ title: 'Brief', durationMilliseconds: 3000 });
  later(3000);
  expect(screen.queryAllByText('Brief')).toEqual([]);
});

test('[9.28] a closed toast is forgotten after 1000000 ms', () => {
  say({ title: 'Hello' });
  later(5000);
  expect([keptCount(), toastRemoveMilliseconds]).toEqual([1, 1_000_000]);
  later(999_999);
  expect(keptCount()).toBe(1);
  later(1);
  expect(keptCount()).toBe(0);
});

test('[9.28] F8 leads to the toasts', () => {
  say({ title: 'Hello' });
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(
    document.activeElement?.closest('[aria-label="Notices (F8)"]') ?? document.activeElement?.tagName,
  ).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Notices (F8)' }).contains(document.activeElement)).toBe(true);
});

test('[9.28] a swipe of 50 px to the right closes it, a shorter one does not', () => {
  for (const [distance, isGone] of [
    [49, false],
    [51, true],
  ] as const) {
    say({ title: `Swiped ${distance}` });
    const shown = screen.getAllByText(`Swiped ${distance}`)[0]?.closest('li');
    if (!shown) throw new Error('no toast');
    fireEvent.pointerDown(shown, { button: 0, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(shown, { clientX: 20, clientY: 0 });
    fireEvent.pointerMove(shown, { clientX: distance, clientY: 0 });
    fireEvent.pointerUp(shown, { clientX: distance, clientY: 0 });
    later(10);
    expect([distance, screen.queryAllByText(`Swiped ${distance}`).length === 0]).toEqual([distance, isGone]);
  }
});

test('[9.28] Escape closes the dialog that a toast lies above, and the toast only when there is no dialog', () => {
  const closed = vi.fn();
  render(
    <I18nProvider i18n={i18n}>
      <Dialog isOpen title="Delete this log?" onOpenChange={closed}>
        Sure?
      </Dialog>
    </I18nProvider>,
  );
  say({ title: 'Not deleted' });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  expect(closed).toHaveBeenCalledExactlyOnceWith(false);
  expect(screen.getAllByText('Not deleted').length).toBeGreaterThan(0);
});
