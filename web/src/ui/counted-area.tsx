import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { TextArea } from './field.tsx';
import { Hidden } from './hidden.tsx';

/** The last so many are read aloud. */
const nearlyFullCharacters = 10;

/** A text that stops at a number of characters, as the server counts them: an emoji is one, not two. */
export function CountedArea({
  value,
  onText,
  limit,
  ...area
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  label: ReactNode;
  error?: ReactNode;
  hint?: ReactNode;
  value: string;
  onText: (text: string) => void;
  limit: number;
}) {
  const { t } = useLingui();
  const characters = [...value].length;
  const [used, all] = [formatCount(characters), formatCount(limit)];
  const left = limit - characters;
  return (
    <TextArea
      {...area}
      value={value}
      onChange={(event) => onText([...event.target.value].slice(0, limit).join(''))}
      aside={
        <span style={{ color: 'var(--ink-3)', font: 'var(--t-small)', fontVariantNumeric: 'tabular-nums' }}>
          <span aria-hidden="true">{t`${used}/${all}`}</span>
          <Hidden>
            <span aria-live="polite">{left <= nearlyFullCharacters ? t`${left} characters left` : ''}</span>
          </Hidden>
        </span>
      }
    />
  );
}
