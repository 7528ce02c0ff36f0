import type { ReactNode } from 'react';
import { createStore } from '../lib/store.ts';

/** At most one toast at a time; a closed one stays in memory that long, so that it can finish leaving (9). */
export const toastLimit = 1;
export const toastMilliseconds = 5000;
export const toastRemoveMilliseconds = 1_000_000;

type Toast = {
  title: string;
  description?: string;
  /** In place of the tone's sign. */
  picture?: ReactNode;
  tone?: 'plain' | 'good' | 'error';
  durationMilliseconds?: number;
  action?: { label: string; onPress: () => void };
  /** News that nobody asked for: it waits for its turn and never covers the answer to what somebody did. */
  isPatient?: boolean;
};

export type ShownToast = Toast & { id: number; isOpen: boolean };

let toasts: readonly ShownToast[] = [];
let waiting: readonly Toast[] = [];
let lastId = 0;
const store = createStore();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

function become(next: readonly ShownToast[]): void {
  toasts = next;
  store.tell();
}

/** Tells the person something in passing; replaces the toast that is there, which comes again if it is patient. */
export function toast(message: Toast): void {
  const shown = toasts.find(({ isOpen }) => isOpen);
  if (shown && message.isPatient) {
    waiting = [...waiting, message];
    return;
  }
  if (shown?.isPatient) waiting = [shown, ...waiting];
  lastId += 1;
  become([{ ...message, id: lastId, isOpen: true }, ...toasts].slice(0, toastLimit));
}

export function dismissToast(id: number): void {
  become(toasts.map((shown) => (shown.id === id ? { ...shown, isOpen: false } : shown)));
  if (removals.has(id)) return;
  const remove = () => {
    removals.delete(id);
    become(toasts.filter((shown) => shown.id !== id));
  };
  removals.set(id, setTimeout(remove, toastRemoveMilliseconds));
  const [next, ...later] = waiting;
  waiting = later;
  if (next) toast(next);
}

/** Removes every toast, also those that wait. */
export function forgetToasts(): void {
  for (const removal of removals.values()) clearTimeout(removal);
  removals.clear();
  waiting = [];
  become([]);
}

export const useToasts = (): readonly ShownToast[] => store.use(() => toasts);
