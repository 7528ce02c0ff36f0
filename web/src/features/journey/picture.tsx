import styles from './picture.module.css';

/** Skylines of hills in a box of 320 × 190, from far to near; a stop shows one of them. */
const skylines = [
  ['M0 118C50 88 92 110 138 92S240 60 320 100V190H0Z', 'M0 148C60 120 120 156 180 134S280 128 320 142V190H0Z'],
  ['M0 110L46 72L84 104L140 52L196 108L246 78L320 116V190H0Z', 'M0 152C70 128 130 146 196 138S290 152 320 138V190H0Z'],
  ['M0 122H320V190H0Z', 'M0 150C40 140 70 160 120 148S220 138 320 156V190H0Z'],
  [
    'M0 96C40 92 66 128 120 122S196 76 252 84S300 104 320 98V190H0Z',
    'M0 140C52 156 110 128 170 146S270 150 320 132V190H0Z',
  ],
] as const;
/** What stands there: a tower, trees, a bridge, tents. */
const landmarks = [
  'M222 138V92L234 78L246 92V138ZM230 104H238V114H230Z',
  'M60 142L74 104L88 142ZM84 146L100 96L116 146ZM108 144L120 114L132 144Z',
  'M96 144V122H224V144H208A14 14 0 0 0 180 144H174A14 14 0 0 0 146 144H140A14 14 0 0 0 112 144Z',
  'M188 146L214 108L240 146ZM238 148L256 120L274 148Z',
] as const;
const suns = [
  [238, 52],
  [84, 46],
  [160, 60],
  [264, 44],
] as const;

/** A drawn card of a stop: no two neighbours alike. @param stamp the country, on the open card */
export function Picture({ index, stamp }: { index: number; stamp?: string }) {
  const kind = index % skylines.length;
  const [far, near] = skylines[kind] ?? skylines[0];
  // Beside the stamp, where there is one.
  const [sunX, sunY] = (stamp === undefined && suns[(index + Math.floor(index / 4)) % suns.length]) || suns[1];
  return (
    <svg className={styles.picture} viewBox="0 0 320 190" aria-hidden="true" data-hour={index % 3}>
      <rect className={styles.sky} width={320} height={190} />
      <circle className={styles.sun} cx={sunX} cy={sunY} r={24} />
      <path className={styles.far} d={far} />
      <path className={styles.near} d={near} />
      <path className={styles.landmark} fillRule="evenodd" d={landmarks[(index + Math.floor(index / 4)) % 4]} />
      <path className={styles.trail} d="M30 184C80 150 120 178 160 160S226 150 250 146" />
      {stamp !== undefined && (
        <g transform="translate(236 12)">
          <rect className={styles.stamp} width={72} height={48} rx={3} />
          <path className={styles.stampRoute} d="M10 20C22 8 30 26 42 14S58 10 62 12" />
          <text
            className={styles.country}
            x={36}
            y={39}
            textAnchor="middle"
            {...(stamp.length > 9 && { textLength: 62, lengthAdjust: 'spacingAndGlyphs' })}
          >
            {stamp}
          </text>
          <circle className={styles.postmark} cx={-8} cy={30} r={19} />
          <circle className={styles.postmark} cx={-8} cy={30} r={12} />
        </g>
      )}
    </svg>
  );
}
