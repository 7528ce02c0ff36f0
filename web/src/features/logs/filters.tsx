import { productActivities } from '@caravan/contracts/activities';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { frequentActivitiesQuery } from '../../lib/frequent-activities.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import styles from './logs.module.css';

/** Dates are local ones, both included. */
export type LogFilter = Partial<Record<'activityType' | 'from' | 'to', string>>;

/** By activity and by dates. @param names activities that stand in the list */
export function Filters({
  filter,
  names,
  onFilter,
}: {
  filter: LogFilter;
  names: readonly string[];
  onFilter: (filter: LogFilter) => void;
}) {
  const { t } = useLingui();
  const { data: frequent } = useQuery(frequentActivitiesQuery);
  const own = (frequent ?? []).map(({ activityName }) => activityName);
  const chosen = filter.activityType === undefined ? [] : [filter.activityType];
  const activities = [...new Set([...productActivities, ...own, ...names, ...chosen])];
  const change = (part: LogFilter) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')));
  return (
    <search className={styles.filters} aria-label={t`Filter your movements`}>
      <SelectField
        label={t`Activity`}
        value={filter.activityType ?? ''}
        options={[{ value: '', label: t`All activities` }, ...activities.map((name) => ({ value: name, label: name }))]}
        onChange={(activityType) => change({ activityType })}
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
