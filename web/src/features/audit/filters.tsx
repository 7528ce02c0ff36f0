import { auditKinds } from '@caravan/contracts/audit';
import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import type { AuditFilter } from './api.ts';
import styles from './audit.module.css';
import { useKindNames } from './use-words.ts';

/** By kind and by dates. */
export function Filters({ filter, onFilter }: { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }) {
  const { t } = useLingui();
  const names = useKindNames();
  const change = (part: AuditFilter) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')));
  return (
    <search className={styles.filters} aria-label={t`Filter the audit log`}>
      <SelectField
        label={t`Kind`}
        value={filter.kind ?? ''}
        options={[
          { value: '', label: t`Everything` },
          ...auditKinds.map((kind) => ({ value: kind, label: names[kind] })),
        ]}
        onChange={(kind) => change({ kind })}
      />
      <TextField
        label={t`From`}
        type="date"
        max={filter.to}
        value={filter.from ?? ''}
        onChange={({ target }) => change({ from: target.value })}
      />
      <TextField
        label={t`To`}
        type="date"
        min={filter.from}
        value={filter.to ?? ''}
        onChange={({ target }) => change({ to: target.value })}
      />
    </search>
  );
}
