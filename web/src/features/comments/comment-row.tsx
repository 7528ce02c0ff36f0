import type { Comment } from '@caravan/contracts/http/comments';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../../lib/now.ts';
import { useSession } from '../../lib/session-state.ts';
import { useMeant } from '../../lib/use-meant.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PersonName, RelativeTime } from '../../ui/text.tsx';
import { useEdit } from './api.ts';
import { CommentForm } from './comment-form.tsx';
import { type Act, CommentDialog } from './comment-dialogs.tsx';
import styles from './comments.module.css';
import { useEditDraft } from './draft.ts';
import { partsOf, pickedOf } from './mentions.ts';

const editableMilliseconds = 5 * 60_000;

/** One comment, with what the reader may do with it: change and delete one's own, report others', hide as an admin. */
export function CommentRow({ entryId, comment }: { entryId: string; comment: Comment }) {
  const { t } = useLingui();
  const [draft] = useEditDraft(comment.id);
  const isChangeable = useIsChangeable(comment);
  const [isEditing, setEditing] = useState(draft !== undefined && isChangeable);
  const acts = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The button that was pressed is a new one now.
    if (wasEditing.current && !isEditing) acts.current?.querySelector('button')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { ref, id, isMeant } = useMeant<HTMLLIElement>(comment.id);
  useEffect(() => {
    if (isMeant) ref.current?.focus({ preventScroll: true });
  }, [isMeant, ref]);
  const { user, hidden } = comment;
  return (
    <li ref={ref} id={id} tabIndex={isMeant ? -1 : undefined} className={clsx(styles.comment, isMeant && styles.meant)}>
      <Avatar name={user.name} photoUrl={user.avatar} />
      <div className={styles.said}>
        <div className={styles.bubble}>
          <p className={styles.who}>
            <b>
              <PersonName profileId={user.profileId} name={user.name} />
            </b>
            <RelativeTime at={comment.createdAt} />
            {comment.editedAt !== null && <span>{t`edited`}</span>}
          </p>
          {isEditing ? (
            <EditComment entryId={entryId} comment={comment} onClose={() => setEditing(false)} />
          ) : (
            <p className={clsx(styles.text, hidden && styles.hiddenText)} dir="auto">
              <Words comment={comment} />
            </p>
          )}
        </div>
        {!isEditing && (
          <>
            {hidden && (
              <p className={styles.reason}>
                <EyeOff size={16} aria-hidden="true" />
                <Trans>Hidden by an admin: {hidden.reason}</Trans>
              </p>
            )}
            <div ref={acts} className={styles.acts}>
              <Acts entryId={entryId} comment={comment} onEdit={() => setEditing(true)} />
            </div>
          </>
        )}
      </div>
    </li>
  );
}

function EditComment({ entryId, comment, onClose }: { entryId: string; comment: Comment; onClose: () => void }) {
  const { t } = useLingui();
  const edit = useEdit(entryId);
  const [draft, keepDraft] = useEditDraft(comment.id);
  const close = () => {
    keepDraft(undefined);
    onClose();
  };
  return (
    <CommentForm
      label={t`Edit your comment`}
      action={t`Save`}
      written={draft ?? { text: comment.text, picked: pickedOf(comment) }}
      onWrite={keepDraft}
      isChanging
      isBusy={edit.isPending}
      onSend={(body, { onError }) => edit.mutate({ id: comment.id, body }, { onSuccess: close, onError })}
      onCancel={close}
    />
  );
}

function useIsChangeable({ isMine, hidden, createdAt }: Comment): boolean {
  const now = useNow();
  return isMine && !hidden && now - Date.parse(createdAt) < editableMilliseconds;
}

/** Plain text: nothing in it is a link but the members it mentions. */
const Words = ({ comment }: { comment: Comment }) =>
  partsOf(comment).map(({ text, mention }, index) => {
    if (!mention) return <span key={index}>{text}</span>;
    if (mention.profileId === null)
      return (
        <b key={index}>
          <bdi>{text}</bdi>
        </b>
      );
    return (
      <Link key={index} to="/user/$id" params={{ id: mention.profileId }}>
        <bdi>{text}</bdi>
      </Link>
    );
  });

function Acts({ entryId, comment, onEdit }: { entryId: string; comment: Comment; onEdit: () => void }) {
  const { t } = useLingui();
  const { user } = useSession();
  const [act, setAct] = useState<Act | null>(null);
  const { isMine, hidden } = comment;
  const { name } = comment.user;
  const mayEdit = useIsChangeable(comment);
  const button = (label: string, does: string, onClick: () => void) => (
    <button type="button" className={styles.act} aria-label={does} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      {mayEdit && button(t`Edit`, t`Edit your comment`, onEdit)}
      {isMine && button(t`Delete`, t`Delete your comment`, () => setAct('delete'))}
      {!isMine && button(t`Report`, t`Report ${name}'s comment`, () => setAct('report'))}
      {!hidden && user?.role === 'admin' && button(t`Hide`, t`Hide ${name}'s comment`, () => setAct('hide'))}
      {act && <CommentDialog act={act} entryId={entryId} comment={comment} onClose={() => setAct(null)} />}
    </>
  );
}
