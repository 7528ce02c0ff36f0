import { i18n } from '@lingui/core';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { endMoment } from '../lib/moment.ts';
import { forgetToasts } from '../ui/toast-state.ts';
import { onScreen } from './app.tsx';

// The files of a worker share their modules and one window. This runs before each of them, and clears what it leaves.

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });

/** jsdom draws nothing, so nothing ever changes its size. */
class NothingResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

beforeAll(() => {
  // The testing library says this only before the first file of a worker: React shows each change at once.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

/** jsdom knows no modal dialogs: they are open, and that is all. */
function openDialog(this: HTMLDialogElement): void {
  this.open = true;
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = openDialog;
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
  };
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  localStorage.clear();
  vi.stubGlobal('scrollTo', () => undefined);
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('ResizeObserver', NothingResizes);
  onScreen('phone');
});

afterEach(() => {
  cleanup();
  endMoment();
  vi.unstubAllGlobals();
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  forgetToasts();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  document.head.replaceChildren();
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
  document.title = '';
  history.replaceState(null, '', '/');
});
