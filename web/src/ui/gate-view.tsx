import styles from './narrow-card.module.css';
import { RoadStrip } from './scene/road-strip.tsx';
import { Hills, Stars } from './scene/scene.tsx';

const stops = [
  { at: 8, name: 'Roncesvalles', landmark: 'hut' },
  { at: 52, name: 'Pamplona', landmark: 'gate' },
] as const;
const span = { from: 0, to: 60 };
const own = { id: 'own', emoji: '⚡', miles: 31 };
const others = [{ id: 'other', emoji: '🔥', miles: 20 }];

/** The landscape behind the promise: two teams on the first miles of the Camino. Decoration. */
export const GateView = () => (
  <div className={styles.landscape} aria-hidden="true">
    <Stars />
    <span className={styles.beams} />
    <span className={styles.sun} />
    <Hills seed={17} />
    <div className={styles.road}>
      <RoadStrip span={span} own={own} others={others} stops={stops} />
    </div>
  </div>
);
