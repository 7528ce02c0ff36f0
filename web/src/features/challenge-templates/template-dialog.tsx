import { challengeTypes, targetUnits } from '@caravan/contracts/domain/choices';
import type { ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { listChallengeTemplates, replaceChallengeTemplates } from '../../lib/api/generated/sdk.gen.ts';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { ChangedMeanwhile, isUnanswered, saveOnLatest } from '../../lib/latest.ts';
import { dataQuery } from '../../lib/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { emptyFields, type Fields, fieldsOf, listWith, onLatest, refusalsAt, type Template } from './template.ts';
import styles from './templates.module.css';

/** Writes a template anew, or one more. @param index its place in the list; null: one more */
export function TemplateDialog({
  templates,
  index,
  onClose,
}: {
  templates: readonly Template[];
  index: number | null;
  onClose: () => void;
}) {
  const { t } = useLingui();
  // The list may be read again while the dialog is open; what is saved builds on what the person saw.
  const [before] = useState(templates);
  const template = index === null ? undefined : before[index];
  const [fields, setFields] = useState<Fields>(template ? fieldsOf(template) : emptyFields);
  const [refused, setRefused] = useState<ReturnType<typeof refusalsAt>>({ fields: {}, rest: [] });
  const save = useSaveTemplates();
  const saveRefusal = useSaveRefusal();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate(
      { before, wanted: listWith(before, index, fields) },
      {
        onSuccess: () => {
          toast({ title: t`Challenge saved`, description: t`It counts from the next week on.`, tone: 'good' });
          onClose();
        },
        onError: (error) => {
          const told = refusalsAt(index ?? before.length, fieldRefusals(error));
          const isTold = Object.keys(told.fields).length + told.rest.length > 0;
          setRefused(isTold ? told : { fields: {}, rest: [saveRefusal(error)] });
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      title={template ? t`Edit challenge` : t`New challenge`}
      description={t`Weeks that have begun keep the challenges they began with.`}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <FormFields fields={fields} errors={refused.fields} onChange={(part) => setFields({ ...fields, ...part })} />
        {refused.rest.length > 0 && (
          <p className={styles.refusal} role="alert">
            {refused.rest.join(' ')}
          </p>
        )}
        <Button type="submit" isWide isBusy={save.isPending}>{t`Save`}</Button>
      </form>
    </Dialog>
  );
}

function FormFields({
  fields,
  errors,
  onChange,
}: {
  fields: Fields;
  errors: Partial<Record<keyof Fields, string>>;
  onChange: (part: Partial<Fields>) => void;
}) {
  const { t } = useLingui();
  const { units, types } = useWords();
  const fieldProps = (name: 'name' | 'description' | 'targetValue' | 'bonusMiles') => ({
    value: fields[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <TextField label={t`Name`} autoComplete="off" maxLength={60} {...fieldProps('name')} />
      <TextArea label={t`Description`} maxLength={200} {...fieldProps('description')} />
      <div className={styles.pair}>
        <TextField label={t`Target`} inputMode="decimal" autoComplete="off" {...fieldProps('targetValue')} />
        <SelectField
          label={t`Unit`}
          value={fields.targetUnit}
          error={errors.targetUnit}
          options={targetUnits.map((value) => ({ value, label: units[value] }))}
          onChange={(targetUnit) => onChange({ targetUnit })}
        />
        <TextField label={t`Bonus miles`} inputMode="decimal" autoComplete="off" {...fieldProps('bonusMiles')} />
        <SelectField
          label={t`For`}
          value={fields.challengeType}
          error={errors.challengeType}
          options={challengeTypes.map((value) => ({ value, label: types[value] }))}
          onChange={(challengeType) => onChange({ challengeType })}
        />
      </div>
    </>
  );
}

/** Units and kinds of challenges as people read them. */
export function useWords() {
  const { t } = useLingui();
  const units: Record<ChallengeTemplate['targetUnit'], string> = {
    miles: t`miles`,
    days: t`days`,
    activities: t`activities`,
    minutes: t`minutes`,
  };
  const types: Record<ChallengeTemplate['challengeType'], string> = {
    individual: t`each member`,
    team: t`the team together`,
  };
  return { units, types };
}

/** Why a list was not saved. */
export function useSaveRefusal(): (error: unknown) => string {
  const { t } = useLingui();
  return (error) =>
    error instanceof ChangedMeanwhile
      ? t`Somebody else has changed this challenge meanwhile. Close it and look at it again.`
      : serverMessage(error, t`That did not work. Please try again later.`);
}

/** The templates from which the challenges of each week are drawn (D14). */
export const templatesQuery = dataQuery(['/api/challenge-templates'], listChallengeTemplates);

/** Replaces the whole list; weeks that have begun keep what they began with. */
export function useSaveTemplates() {
  const queryClient = useQueryClient();
  const unanswered = useRef<(readonly Template[])[]>([]);
  return useMutation({
    mutationFn: ({ before, wanted }: { before: readonly Template[]; wanted: readonly Template[] }) =>
      saveOnLatest(
        before,
        listChallengeTemplates,
        (now) => onLatest(before, wanted, now as Parameters<typeof onLatest>[2], unanswered.current),
        (body, headers) => replaceChallengeTemplates({ body, headers }),
      ),
    onError: (error, { wanted }) => {
      if (isUnanswered(error)) unanswered.current.push(wanted);
    },
    onSuccess: () => {
      unanswered.current = [];
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  });
}
