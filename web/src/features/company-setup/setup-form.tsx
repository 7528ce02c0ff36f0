import type { Company } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, type SyntheticEvent } from 'react';
import { fieldRefusals } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Columns } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useSetUpCompany } from './api.ts';
import { ColourPairs } from './colour-pairs.tsx';
import styles from './company-setup.module.css';
import { LogoField } from './logo-field.tsx';
import { LookPreview } from './look-preview.tsx';
import { draftOf, isComplete, ranges, refusalsOf, requestOf, type Draft, type Range, type Refusals } from './setup.ts';
import { TraitChips } from './trait-chips.tsx';

const firstRefused = ':is([aria-invalid="true"], [data-refused] :is(button, input))';

export function SetupForm({ company }: { company: Company }) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(() => draftOf(company));
  const { form, refusals, submit, isSaving, forget } = useSetup(company, draft);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    forget(Object.keys(part) as (keyof Draft)[]);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Columns
        main={
          <>
            <Card title={t`Company`} className={styles.card}>
              <TextField
                label={t`Company name`}
                autoComplete="organization"
                maxLength={80}
                value={draft.companyName}
                error={refusals.companyName}
                onChange={({ target }) => change({ companyName: target.value })}
              />
              <SelectField<Range | ''>
                label={t`Employees`}
                value={draft.employeeRange}
                error={refusals.employeeRange}
                options={[
                  { value: '', label: t`How many are you?`, isDisabled: true },
                  ...ranges.map((range) => ({ value: range, label: range })),
                ]}
                onChange={(employeeRange) => change({ employeeRange })}
              />
              <TextField
                label={t`Industry (optional)`}
                maxLength={80}
                value={draft.industry}
                error={refusals.industry}
                onChange={({ target }) => change({ industry: target.value })}
              />
              <TextField
                label={t`Welcome message (optional)`}
                hint={t`Greets everybody on the dashboard.`}
                maxLength={120}
                value={draft.welcomeMessage}
                error={refusals.welcomeMessage}
                onChange={({ target }) => change({ welcomeMessage: target.value })}
              />
            </Card>
            <TraitChips
              chosen={draft.brandTraits}
              error={refusals.brandTraits}
              onChange={(brandTraits) => change({ brandTraits })}
            />
            <Card title={t`Look`} className={styles.card}>
              <LogoField logoUrl={draft.logoUrl} error={refusals.logoUrl} onChange={(logoUrl) => change({ logoUrl })} />
              <ColourPairs
                chosen={draft.brandColors}
                error={refusals.brandColors}
                onChange={(brandColors) => change({ brandColors })}
              />
            </Card>
          </>
        }
        side={<LookPreview name={draft.companyName.trim()} logoUrl={draft.logoUrl} colour={draft.brandColors?.[0]} />}
      />
      <div className={styles.actions}>
        <Button type="submit" isBusy={isSaving}>{t`Complete Setup`}</Button>
        <Button asChild variant="plain">
          <Link to="/dashboard">{t`Skip Setup`}</Link>
        </Button>
      </div>
    </form>
  );
}

/** `brandColors.0` is said at `brandColors`. */
const topOf = (path: string): string => path.replace(/\..*/, '');

/** What is refused here or by the server stands at its field; the first of them takes the focus. */
function useSetup(company: Company, draft: Draft) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const setUp = useSetUpCompany();
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState<Refusals>({});
  const refuse = (next: Refusals) => {
    setRefusals(next);
    if (Object.keys(next).length > 0) setTimeout(() => form.current?.querySelector<HTMLElement>(firstRefused)?.focus());
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const refused = refusalsOf(draft);
    refuse(Object.fromEntries(refused.map(([field, why]) => [field, i18n._(why)])));
    if (refused.length > 0 || !isComplete(draft)) return;
    setUp.mutate(requestOf(draft, company), {
      onSuccess: () => {
        toast({
          title: t`Company setup complete!`,
          description: t`Teams are ready for name voting.`,
          tone: 'good',
        });
        void navigate({ to: '/dashboard' });
      },
      onError: (error) => {
        refuse(Object.fromEntries(fieldRefusals(error).map(({ path, message }) => [topOf(path), message])));
        toast({
          title: t`Setup failed`,
          description: t`Failed to complete company setup. Please try again.`,
          tone: 'error',
        });
      },
    });
  };
  const forget = (fields: readonly (keyof Draft)[]) =>
    setRefusals(
      Object.fromEntries(Object.entries(refusals).filter(([field]) => !fields.includes(field as keyof Draft))),
    );
  return { form, refusals, submit, isSaving: setUp.isPending, forget };
}
