import { challengeTypes, targetUnits } from '@caravan/contracts/choices';
import { useLingui } from '@lingui/react/macro';
import { useState, type SyntheticEvent } from 'react';
import { fieldRefusals, serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useSaveTemplates } from './api.ts';
import { emptyFields, fieldsOf, listWith, refusalsAt, type Fields, type Template } from './template.ts';
import styles from './templates.module.css';
import { useWords } from './use-words.ts';

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
  const template = index === null ? undefined : templates[index];
  const [fields, setFields] = useState<Fields>(template ? fieldsOf(template) : emptyFields);
  const [refused, setRefused] = useState<ReturnType<typeof refusalsAt>>({ fields: {}, rest: [] });
  const save = useSaveTemplates();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate(listWith(templates, index, fields), {
      onSuccess: () => {
        toast({ title: t`Challenge saved`, description: t`It counts from the next week on.`, tone: 'good' });
        onClose();
      },
      onError: (error) => {
        const told = refusalsAt(index ?? templates.length, fieldRefusals(error));
        const isTold = Object.keys(told.fields).length + told.rest.length > 0;
        setRefused(
          isTold ? told : { fields: {}, rest: [serverMessage(error, t`That did not work. Please try again later.`)] },
        );
      },
    });
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
  const typed = (name: 'name' | 'description' | 'targetValue' | 'bonusMiles') => ({
    value: fields[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <TextField label={t`Name`} autoComplete="off" maxLength={60} {...typed('name')} />
      <TextArea label={t`Description`} maxLength={200} {...typed('description')} />
      <div className={styles.pair}>
        <TextField label={t`Target`} inputMode="decimal" autoComplete="off" {...typed('targetValue')} />
        <SelectField
          label={t`Unit`}
          value={fields.targetUnit}
          error={errors.targetUnit}
          options={targetUnits.map((value) => ({ value, label: units[value] }))}
          onChange={(targetUnit) => onChange({ targetUnit })}
        />
        <TextField label={t`Bonus miles`} inputMode="decimal" autoComplete="off" {...typed('bonusMiles')} />
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
