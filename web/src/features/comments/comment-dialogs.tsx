import type { Comment } from '@caravan/contracts/http/comments';
import { useLingui } from '@lingui/react/macro';
import { type SyntheticEvent, useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { CountedArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast-state.ts';
import { type Outcome, useDelete, useHide, useReport } from './api.ts';
import styles from './comments.module.css';

const longestReason = 500;

export type Act = 'delete' | 'report' | 'hide';
type DialogProps = { entryId: string; comment: Comment; onClose: () => void };

/** Asks before a comment goes, or why it should. */
export function CommentDialog({ act, ...props }: DialogProps & { act: Act }) {
  const dialogs = { delete: DeleteDialog, report: ReportDialog, hide: HideDialog };
  const Shown = dialogs[act];
  return <Shown {...props} />;
}

/** What is said, and done, when the server has answered. */
export function useOutcome(onDone: () => void) {
  const { t } = useLingui();
  return (done: string, failed: string): Outcome => ({
    onSuccess: (isEarlier = false) => {
      const description = isEarlier ? t`Your first try was saved, with the reason that you gave then.` : undefined;
      toast({ title: done, ...(description && { description }), tone: 'good' });
      onDone();
    },
    onError: (error: Error) =>
      toast({ title: failed, description: serverMessage(error, t`Please try again later.`), tone: 'error' }),
  });
}

function DeleteDialog({ entryId, comment, onClose }: DialogProps) {
  const { t } = useLingui();
  const outcome = useOutcome(onClose)(t`Comment deleted`, t`The comment was not deleted`);
  const { mutate, isPending } = useDelete(entryId, comment.id, outcome);
  return (
    <Confirm
      title={t`Delete your comment?`}
      description={t`It cannot be brought back.`}
      action={t`Delete`}
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}

function ReportDialog({ comment, onClose }: DialogProps) {
  const { t } = useLingui();
  const outcome = useOutcome(onClose)(t`Reported to the admins`, t`The comment was not reported`);
  const { mutate, isPending } = useReport(comment.id, outcome);
  return (
    <Reason
      title={t`Report this comment`}
      description={t`The admins see the comment and your reason, but not who reported it.`}
      action={t`Report`}
      isBusy={isPending}
      onReason={(reason) => mutate({ reason })}
      onClose={onClose}
    />
  );
}

function HideDialog({ entryId, comment, onClose }: DialogProps) {
  const { t } = useLingui();
  const outcome = useOutcome(onClose)(t`Comment hidden`, t`The comment was not hidden`);
  const { mutate, isPending } = useHide(entryId, comment, outcome);
  return (
    <Reason
      title={t`Hide this comment`}
      description={t`Only its author and the admins still see it; the author is told the reason.`}
      action={t`Hide`}
      isBusy={isPending}
      onReason={(reason) => mutate({ reason })}
      onClose={onClose}
    />
  );
}

function Reason({
  title,
  description,
  action,
  isBusy,
  onReason,
  onClose,
}: {
  title: string;
  description: string;
  action: string;
  isBusy: boolean;
  onReason: (reason: string) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setRefusal(t`Give a reason`);
    else onReason(reason.trim());
  };
  return (
    <Dialog isOpen title={title} description={description} onOpenChange={(isOpen) => isOpen || onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <CountedArea
          label={t`Reason`}
          value={reason}
          limit={longestReason}
          error={refusal}
          onText={(text) => {
            setReason(text);
            setRefusal(undefined);
          }}
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
