import type { Company } from '@caravan/contracts/http/organisations';
import { useLingui } from '@lingui/react/macro';
import { formatLocalDate } from '../../lib/dates.ts';
import { useNow } from '../../lib/now.ts';
import { timeZonesWith } from '../../lib/time-zones.ts';
import { SelectField } from '../../ui/select.tsx';
import { comingZone } from './setup.ts';

export function TimeZoneField({
  company,
  chosen,
  error,
  onChange,
}: {
  company: Company;
  chosen: string;
  error: string | undefined;
  onChange: (timeZone: string) => void;
}) {
  const { t } = useLingui();
  const coming = comingZone(company, chosen, new Date(useNow()));
  const day = coming && formatLocalDate(coming.from, { weekday: 'long', day: 'numeric', month: 'long' });
  const present = (company.timeZone ?? '').replaceAll('_', ' ');
  return (
    <SelectField
      label={t`Time zone`}
      hint={
        day
          ? t`From ${day} weeks begin on Monday at 00:00 there. Until then the time zone is ${present}.`
          : t`Weeks begin on Monday at 00:00 there. Another time zone holds from a Monday to come.`
      }
      value={chosen}
      error={error}
      options={timeZonesWith(chosen)}
      onChange={onChange}
    />
  );
}
