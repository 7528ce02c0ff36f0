import { Trans } from '@lingui/react/macro';
import { useDistance } from '../../lib/units.ts';
import styles from './own-position.module.css';
import type { Neighbour } from './standing.ts';
import { minutesToCatchUp } from './weeks.ts';

/** A hundredth must not read as nothing. */
const leastInTenths = 0.05;

function useGap(milesAhead: number): string {
  const { figure, exactly } = useDistance();
  const miles = Math.abs(milesAhead);
  return miles < leastInTenths ? exactly(miles) : figure(miles);
}

/** '0.8 mi behind Maya'. */
export function Gap({ neighbour: { name, milesAhead } }: { neighbour: Neighbour }) {
  const { short } = useDistance();
  const distance = useGap(milesAhead);
  if (milesAhead === 0) return <Trans>Level with {name}</Trans>;
  if (milesAhead > 0)
    return (
      <Trans>
        {distance} {short} behind {name}
      </Trans>
    );
  return (
    <Trans>
      {distance} {short} ahead of {name}
    </Trans>
  );
}

/** The next rank within reach, and the walk that reaches it. */
export function GapSentence({ neighbour }: { neighbour: Neighbour }) {
  return (
    <p className={styles.sentence}>
      <Reach neighbour={neighbour} /> <CatchUp milesAhead={neighbour.milesAhead} />
    </p>
  );
}

function Reach({ neighbour: { name, milesAhead } }: { neighbour: Neighbour }) {
  const { long } = useDistance();
  const distance = useGap(milesAhead);
  if (milesAhead === 0) return <Trans>Level with {name}.</Trans>;
  if (milesAhead > 0)
    return (
      <Trans>
        <b>
          {distance} {long}
        </b>{' '}
        behind {name}.
      </Trans>
    );
  return (
    <Trans>
      <b>
        {distance} {long}
      </b>{' '}
      ahead of {name}.
    </Trans>
  );
}

function CatchUp({ milesAhead }: { milesAhead: number }) {
  const minutes = minutesToCatchUp(milesAhead);
  if (milesAhead < 0 || minutes === null) return null;
  return (
    <span className={styles.way}>
      {milesAhead === 0 ? (
        <Trans>Ten minutes of anything put you ahead.</Trans>
      ) : (
        <Trans>A {minutes}-minute walk catches up.</Trans>
      )}
    </span>
  );
}
