import type { Analytics } from '@caravan/contracts/http/analytics';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import { Card } from '../../ui/page.tsx';
import styles from './analytics.module.css';
import { useTold } from './use-told.ts';

type Team = Analytics['teams'][number];

/** Whether teams are of one strength: members, how many of them move, and how far. */
export function TeamBalance({ teams }: { teams: readonly Team[] }) {
  const { t } = useLingui();
  const { short } = useDistance();
  return (
    <Card title={t`Team balance`}>
      {teams.length === 0 ? (
        <p className={styles.quiet}>{t`Teams are compared from ten members on; smaller ones are told together.`}</p>
      ) : (
        <table className={styles.teams}>
          <thead>
            <tr>
              <th scope="col">{t`Team`}</th>
              <th scope="col">{t`Move in a week`}</th>
              <th scope="col">{t`Each, in ${short}`}</th>
            </tr>
          </thead>
          <tbody>
            {teams.map((team) => (
              <TeamRow key={team.names.map(({ name }) => name).join(' ')} team={team} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** Too wide a range says nothing. */
const widestPercent = 50;

function TeamRow({ team: { names, members, participation, milesPerMemberAndWeek: miles } }: { team: Team }) {
  const { tooFew, share } = useTold();
  const { figure } = useDistance();
  const told = participation && participation.atMost - participation.atLeast <= widestPercent ? participation : null;
  return (
    <tr>
      <th scope="row">
        {names.map(({ name, emoji }) => (
          <b key={name}>
            <span aria-hidden="true">{emoji}</span> {name}
          </b>
        ))}
        <span className={styles.size}>{plural(members, { one: '# member', other: '# members' })}</span>
      </th>
      <td>
        {share(told, 100)}
        {told && (
          <span className={styles.gauge} aria-hidden="true">
            <span style={{ inlineSize: `${told.atMost}%` }} data-range={told.atLeast < told.atMost || undefined} />
            <span style={{ inlineSize: `${told.atLeast}%` }} />
          </span>
        )}
      </td>
      <td>{miles === null ? tooFew : figure(miles)}</td>
    </tr>
  );
}
