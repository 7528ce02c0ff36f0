import { fittedText } from '@caravan/contracts/domain/text/text';
import type { ChangeEvent, ChangeEventHandler, CompositionEventHandler } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;
type Counted<Element extends Control> = {
  readonly type?: string | undefined;
  readonly maxLength?: number | undefined;
  readonly onChange?: ChangeEventHandler<Element> | undefined;
  readonly onCompositionEnd?: CompositionEventHandler<Element> | undefined;
};

/** Machines read these: they have one direction, and the units that a browser counts. */
const machineTypes = new Set(['email', 'url', 'number', 'date', 'time', 'datetime-local', 'password']);

/**
 * What a field needs so that its `maxLength` counts characters as people see them and as the server does: of a
 * browser's own an emoji takes two to eleven. What is typed decides the direction that it is written in.
 */
export function countedInput<Element extends Control>(props: Counted<Element>): Counted<Element> & { dir?: 'auto' } {
  const { type, maxLength, onChange, onCompositionEnd } = props;
  if (machineTypes.has(type ?? '')) return {};
  if (maxLength === undefined) return { dir: 'auto' };
  return {
    dir: 'auto',
    maxLength: undefined,
    onChange: (event) => {
      const { nativeEvent } = event;
      // Text that is being composed is shown whole until it is finished.
      const isComposing = 'isComposing' in nativeEvent && nativeEvent.isComposing === true;
      if (!isComposing) fitText(event.currentTarget, maxLength);
      onChange?.(event);
    },
    onCompositionEnd: (event) => {
      // No event of a change follows: the field's reader hears of what had to go from this one.
      if (fitText(event.currentTarget, maxLength)) onChange?.(event as unknown as ChangeEvent<Element, Element>);
      onCompositionEnd?.(event);
    },
  };
}

/** Takes away what the field has too much. Answers whether it had. */
export function fitText(control: Control, maxLength: number): boolean {
  const { value, selectionEnd } = control;
  const fitted = fittedText(value, selectionEnd ?? value.length, maxLength);
  if (fitted.value === value) return false;
  control.value = fitted.value;
  control.setSelectionRange(fitted.caret, fitted.caret);
  return true;
}
