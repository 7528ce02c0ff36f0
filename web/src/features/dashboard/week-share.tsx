import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { dashboardStatsQuery } from '../../lib/dashboard-stats.ts';
import { useDistance } from '../../lib/units.ts';
import { ShareBar } from '../../ui/charts/share-bar.tsx';
import { Card } from '../../ui/page.tsx';

/** Each team's share of this week's miles. Hidden with one team, and while nobody has moved. */
export function WeekShare() {
  const { t } = useLingui();
  const { figure } = useDistance();
  const { data } = useQuery(dashboardStatsQuery);
  const teams = data?.teamProgress ?? [];
  const all = teams.reduce((sum, { miles }) => sum + miles, 0);
  if (teams.length < 2 || all === 0) return null;
  const together = figure(all);
  return (
    <Card title={t`This week’s miles`} aside={t`${together} together`}>
      <ShareBar
        parts={teams.map(({ id, name, emoji, miles }) => ({ id, name: `${emoji} ${name}`, share: miles / all }))}
      />
    </Card>
  );
}
