import type { CommentRequest, Mentionable } from '@caravan/contracts/http/comments';
import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { serverMessage } from '../../lib/http-error.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { CountedArea } from '../../ui/field.tsx';
import { mentionableQuery } from './api.ts';
import styles from './comments.module.css';
import { nothingWritten, type Written } from './draft.ts';
import { mentionAt, mentionedIn, type Picked, withMention } from './mentions.ts';

const longestComment = 500;

type Done = { onSuccess: () => void; onError: (error: Error) => void };

/** Where a comment is written or changed; an `@` offers the members whom one may mention. */
export function CommentForm({
  label,
  action,
  written,
  onWrite,
  isChanging = false,
  notice,
  isBusy,
  onSend,
  onCancel,
}: {
  label: string;
  action: string;
  written: Written;
  onWrite: (next: Written) => void;
  /** A comment that stands already: its writer types on behind it. */
  isChanging?: boolean;
  /** Stands between the field and the buttons. */
  notice?: string | undefined;
  isBusy: boolean;
  onSend: (sent: CommentRequest, done: Done) => void;
  onCancel?: (() => void) | undefined;
}) {
  const { t } = useLingui();
  const { text, picked } = written;
  const [refusal, setRefusal] = useState<string>();
  const change = (next: Written) => {
    onWrite(next);
    setRefusal(undefined);
  };
  const mention = useMentioning(text, (next, member) => {
    // When two members share a name, the one who was picked last is meant.
    change({ text: next, picked: picked.filter(({ name }) => name !== member.name).concat(member) });
  });
  const { area } = mention;
  useEffect(() => {
    if (!isChanging || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [isChanging, area]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setRefusal(t`Write a comment first`);
    onSend(
      { text: text.trim(), mentions: mentionedIn(text, picked) },
      {
        onSuccess: () => change(nothingWritten),
        onError: (error) => setRefusal(serverMessage(error, t`The comment was not sent. Please try again.`)),
      },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <CountedArea
        {...mention.field}
        label={label}
        rows={2}
        value={text}
        limit={longestComment}
        error={refusal}
        onText={(next) => {
          change({ text: next, picked });
          mention.look();
        }}
      />
      {mention.list}
      {notice !== undefined && <p role="alert">{notice}</p>}
      <div className={styles.sends}>
        {onCancel && <Button variant="plain" size="small" onClick={onCancel}>{t`Cancel`}</Button>}
        <Button type="submit" variant="quiet" size="small" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** The list behind an `@`: arrow keys, Enter or Tab takes one, Escape closes. */
function useMentioning(text: string, onPick: (text: string, picked: Picked) => void) {
  const { t } = useLingui();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const typed = cursor === null ? null : mentionAt(text, cursor);
  const found = useQuery({
    ...mentionableQuery(typed?.name ?? ''),
    enabled: typed !== null,
    placeholderData: keepPreviousData,
  });
  const members = typed === null ? [] : (found.data ?? []);
  const isOpen = members.length > 0;
  const at = Math.min(chosen, members.length - 1);
  const pick = (member: Mentionable[number]) => {
    if (!typed) return;
    const next = withMention(text, typed, member);
    // Drawn at once, so that the next letter is typed behind the name.
    flushSync(() => {
      onPick(next.text, member);
      setCursor(null);
    });
    area.current?.focus();
    area.current?.setSelectionRange(next.cursor, next.cursor);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const member = members[at];
    if (!member) return;
    const moves: Record<string, () => void> = {
      ArrowDown: () => setChosen((at + 1) % members.length),
      ArrowUp: () => setChosen((at - 1 + members.length) % members.length),
      Enter: () => pick(member),
      Tab: () => pick(member),
      Escape: () => setCursor(null),
    };
    const move = event.shiftKey ? undefined : moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const look = () => {
    setCursor(area.current?.selectionStart ?? null);
    setChosen(0);
  };
  return {
    area,
    look,
    field: {
      ref: area,
      onKeyDown,
      onBlur: () => setCursor(null),
      'aria-autocomplete': 'list' as const,
      'aria-controls': `${id}-list`,
      ...(isOpen && { 'aria-activedescendant': `${id}-${at}` }),
    },
    list: (
      <ul id={`${id}-list`} role="listbox" aria-label={t`Members`} className={styles.members} hidden={!isOpen}>
        {members.map((member, index) => (
          <li
            key={member.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // Before the field loses the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              pick(member);
            }}
          >
            <Avatar name={member.name} photoUrl={member.avatar} />
            <span>
              <bdi>{member.name}</bdi>
              <bdi className={styles.team}>{member.teamName}</bdi>
            </span>
          </li>
        ))}
      </ul>
    ),
  };
}
