import type { Recap } from '@caravan/contracts/http/recaps';
import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { type SyntheticEvent, useRef, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { Button, Chip } from '../../ui/button.tsx';
import { CountedArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast-state.ts';
import { type Said, useEngage } from './api.ts';
import styles from './recaps.module.css';
import { reactionNames, vibeNames } from './words.ts';

const longestFeedback = 500;

/** One reaction, one word on how the week felt, one feedback; each can be changed and taken back (3.17). */
export function Engagement({ recap }: { recap: Recap }) {
  const { t } = useLingui();
  const { mutate } = useEngage(recap);
  const { engagement, reactions, vibes } = recap;
  const say = (said: Said) =>
    mutate(said, {
      onError: () =>
        toast({ title: t`Error`, description: t`Failed to react to post. Please try again.`, tone: 'error' }),
    });
  return (
    <Card title={t`What do you make of it?`}>
      <div className={styles.says}>
        <Choice
          label={t`Cheer for the week`}
          names={reactionNames}
          counts={reactions}
          chosen={engagement.reactionEmoji}
          onChoose={(reactionEmoji) => say({ reactionEmoji })}
        />
        <Choice
          label={t`How did it feel?`}
          names={vibeNames}
          counts={vibes}
          chosen={engagement.vibeEmoji}
          onChoose={(vibeEmoji) => say({ vibeEmoji })}
        />
        <Feedback recap={recap} />
      </div>
    </Card>
  );
}

type ChoiceProps<Emoji extends string> = {
  label: string;
  names: Readonly<Record<Emoji, MessageDescriptor>>;
  counts: Readonly<Record<string, number>>;
  chosen: Emoji | null;
  onChoose: (emoji: Emoji | null) => void;
};

/** One of several; pressed again it is none. */
function Choice<Emoji extends string>({ label, names, counts, chosen, onChoose }: ChoiceProps<Emoji>) {
  const { i18n } = useLingui();
  return (
    <div className={styles.choice} role="group" aria-label={label}>
      <p>{label}</p>
      <div className={styles.chips}>
        {(Object.keys(names) as Emoji[]).map((emoji) => {
          const name = i18n._(names[emoji]);
          const count = counts[emoji] ?? 0;
          return (
            <Chip
              key={emoji}
              className={styles.chip}
              isPressed={chosen === emoji}
              aria-label={count > 0 ? `${name}, ${formatCount(count)}` : name}
              title={name}
              onClick={() => onChoose(chosen === emoji ? null : emoji)}
            >
              <span className={styles.emoji}>{emoji}</span>
              {count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
            </Chip>
          );
        })}
      </div>
    </div>
  );
}

function Feedback({ recap }: { recap: Recap }) {
  const { t } = useLingui();
  const sent = recap.engagement.feedbackText;
  const { mutate, isPending } = useEngage(recap);
  const [text, setText] = useState(sent ?? '');
  const [known, setKnown] = useState(sent);
  const area = useRef<HTMLTextAreaElement>(null);
  // What is sent from elsewhere stands here, too; the field stays, and the focus with it.
  if (known !== sent) {
    setKnown(sent);
    setText(sent ?? '');
  }
  const [refusal, setRefusal] = useState<string>();
  const send = (feedbackText: string | null) =>
    mutate(
      { feedbackText },
      {
        onSuccess: () => {
          toast({ title: feedbackText === null ? t`Feedback taken back` : t`Thank you!`, tone: 'good' });
          // Its button goes.
          if (feedbackText === null) area.current?.focus();
        },
        onError: (error) => setRefusal(serverMessage(error, t`Your feedback was not sent. Please try again.`)),
      },
    );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setRefusal(t`Write your feedback first`);
    return send(text.trim());
  };
  return (
    <form className={styles.feedback} onSubmit={submit} noValidate>
      <CountedArea
        ref={area}
        label={t`Feedback`}
        hint={t`Your admins read it, without your name.`}
        rows={2}
        value={text}
        limit={longestFeedback}
        error={refusal}
        onText={(next) => {
          setText(next);
          setRefusal(undefined);
        }}
      />
      <div className={styles.sends}>
        {sent !== null && (
          <Button variant="plain" size="small" disabled={isPending} onClick={() => send(null)}>{t`Take back`}</Button>
        )}
        <Button type="submit" variant="quiet" size="small" isBusy={isPending}>
          {sent === null ? t`Send feedback` : t`Change feedback`}
        </Button>
      </div>
    </form>
  );
}
