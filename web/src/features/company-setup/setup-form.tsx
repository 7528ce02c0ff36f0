import type { Company } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useRef, useState } from 'react';
import { readCompany, setUpCompany } from '../../lib/api/generated/sdk.gen.ts';
import { brandingQuery } from '../../lib/branding.ts';
import { fieldRefusals } from '../../lib/http-error.ts';
import { sendAnew } from '../../lib/keyed-requests.ts';
import { isUnanswered, saveOnLatest } from '../../lib/latest.ts';
import { Button, Chip } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Columns } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-state.ts';
import { companyQuery } from './api.ts';
import styles from './company-setup.module.css';
import { LogoField, Refusal } from './logo-field.tsx';
import { ColourPairs, LookPreview } from './look-preview.tsx';
import {
  CompanyChanged,
  type CompleteDraft,
  type Draft,
  draftOf,
  isComplete,
  onLatest,
  ranges,
  type Range,
  type Refusals,
  refusalsOf,
  requestOf,
  type Trait,
  traits,
  withTrait,
  wordsOf,
} from './setup.ts';
import { TimeZoneField } from './time-zone-field.tsx';

const firstRefused = ':is([aria-invalid="true"], [data-refused] :is(button, input))';

export function SetupForm({ company }: { company: Company }) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(() => draftOf(company));
  const { form, before, refusals, submit, isSaving, forget } = useSetup(company, draft, setDraft);
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
              {before.timeZone !== undefined && (
                <TimeZoneField
                  company={before}
                  chosen={draft.timeZone}
                  error={refusals.timeZone}
                  onChange={(timeZone) => change({ timeZone })}
                />
              )}
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
function useSetup(company: Company, draft: Draft, onDraft: (draft: Draft) => void) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const setUp = useSetUpCompany();
  // The company that the form was filled in from; after a clash the stored one.
  const [before, setBefore] = useState(company);
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
    setUp.mutate(
      { before, draft },
      {
        onSuccess: () => {
          toast({
            title: t`Company setup complete!`,
            description: t`Teams are ready for name voting.`,
            tone: 'good',
          });
          void navigate({ to: '/dashboard' });
        },
        onError: (error) => {
          if (error instanceof CompanyChanged) {
            setBefore(error.company);
            onDraft(error.draft);
            return refuse(clashWords(error));
          }
          refuse(Object.fromEntries(fieldRefusals(error).map(({ path, message }) => [topOf(path), message])));
          toast({
            title: t`Setup failed`,
            description: t`Failed to complete company setup. Please try again.`,
            tone: 'error',
          });
        },
      },
    );
  };
  const clashWords = ({ company: now, fields }: CompanyChanged): Refusals =>
    Object.fromEntries(
      fields.map((field) => {
        const value = wordsOf(draftOf(now)[field]);
        return [field, t`Somebody else has changed this to “${value}” meanwhile. Save again to keep yours.`];
      }),
    );
  const forget = (fields: readonly (keyof Draft)[]) =>
    setRefusals(
      Object.fromEntries(Object.entries(refusals).filter(([field]) => !fields.includes(field as keyof Draft))),
    );
  return { form, before, refusals, submit, isSaving: setUp.isPending, forget };
}

function TraitChips({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly Trait[];
  error: string | undefined;
  onChange: (chosen: readonly Trait[]) => void;
}) {
  const { t, i18n } = useLingui();
  return (
    <Card title={t`Brand traits`} className={styles.card} aside={t`${chosen.length} of 3`}>
      <p className={styles.hint}>{t`Up to three. A fourth takes the place of the oldest.`}</p>
      <div
        className={styles.chips}
        role="group"
        aria-label={t`Brand traits`}
        aria-describedby={error && 'traits-refused'}
        data-refused={error ? true : undefined}
      >
        {traits.map(({ id, name }) => (
          <Chip key={id} isPressed={chosen.includes(id)} onClick={() => onChange(withTrait(chosen, id))}>
            {i18n._(name)}
          </Chip>
        ))}
      </div>
      <Refusal id="traits-refused">{error}</Refusal>
    </Card>
  );
}

/** Saves the set-up; the new look is there when this has ended. */
export function useSetUpCompany() {
  const queryClient = useQueryClient();
  const unanswered = useRef<CompleteDraft[]>([]);
  return useMutation({
    mutationFn: ({ before, draft }: { before: Company; draft: CompleteDraft }) =>
      saveOnLatest(
        before,
        readCompany,
        (now) => requestOf(onLatest(before, draft, now, unanswered.current), now),
        (body, headers) =>
          sendAnew({ body }, (keyed) => setUpCompany({ ...keyed, headers: { ...keyed.headers, ...headers } })),
      ),
    onError: (error, { draft }) => {
      if (error instanceof CompanyChanged) unanswered.current = [];
      else if (isUnanswered(error)) unanswered.current.push(draft);
    },
    onSuccess: async (company) => {
      unanswered.current = [];
      queryClient.setQueryData(companyQuery.queryKey, company);
      await queryClient.invalidateQueries({ queryKey: brandingQuery.queryKey });
    },
  });
}
