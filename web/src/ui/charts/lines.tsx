import { useLingui } from '@lingui/react/macro';
import clsx from 'clsx';
import { drawLines, type LineBox, type LineValues } from './line-chart.ts';
import styles from './lines.module.css';

export type Line = {
  id: string;
  name: string;
  /** Stands beside the end of the line. */
  label: string;
  values: LineValues;
};

type LinesProps = {
  /** The first one is the reader's own: it is drawn strongest. */
  lines: readonly Line[];
  /** Names of the steps; the chart shows the first, the middle and the last one. */
  steps: readonly string[];
  /** Heads the column of the steps in the table. */
  stepName: string;
  format: (value: number) => string;
  /** Formats the values at the axis, where they are shorter than elsewhere. */
  formatTick?: (value: number) => string;
  /** Ranks: the first one is at the top. */
  isDownwards?: boolean;
  /** wide: on wide screens the chart is twice as wide as high. */
  shape?: 'narrow' | 'wide';
};

const narrow: LineBox = { width: 340, height: 176, left: 34, right: 78, top: 14, bottom: 26 };
const wide: LineBox = { width: 640, height: 220, left: 34, right: 96, top: 14, bottom: 26 };

/** Lines with their names at their ends; the same as a table. */
export function Lines({ shape = 'narrow', ...chart }: LinesProps) {
  return (
    <div className={styles.chart}>
      <Drawing {...chart} box={narrow} className={clsx(shape === 'wide' && styles.onNarrow)} />
      {shape === 'wide' && <Drawing {...chart} box={wide} className={styles.onWide} />}
      <LinesTable {...chart} />
    </div>
  );
}

const lineStyles = ['own', 'second', 'third'] as const;
const styleOf = (nth: number) => styles[lineStyles[Math.min(nth, lineStyles.length - 1)] ?? 'third'];

function Drawing({
  lines,
  steps,
  format,
  formatTick = format,
  isDownwards,
  box,
  className,
}: Omit<LinesProps, 'shape'> & { box: LineBox; className?: string | undefined }) {
  const drawn = drawLines(
    lines.map(({ values }) => values),
    { box, isDownwards },
  );
  const last = steps.length - 1;
  const named = [...new Set([0, Math.round(last / 2), last])];
  const bottom = box.height - 6;
  return (
    <svg
      className={clsx(styles.drawing, className)}
      viewBox={`0 0 ${box.width} ${box.height}`}
      aria-hidden="true"
      direction="ltr"
    >
      {drawn.ticks.map(({ value, y }) => (
        <g key={value}>
          <path className={styles.grid} d={`M${box.left} ${y}H${box.width - box.right}`} />
          <text x={box.left - 8} y={y + 4} textAnchor="end">
            {formatTick(value)}
          </text>
        </g>
      ))}
      {named.map((nth) => (
        <text key={nth} x={drawn.xOf(nth)} y={bottom} textAnchor={anchorOf(nth, last)}>
          {steps[nth]}
        </text>
      ))}
      {drawn.lines
        .map((line, nth) => ({ line, nth, of: lines[nth] }))
        .toReversed()
        .map(
          ({ line, nth, of }) =>
            line &&
            of && (
              <g key={of.id} className={styleOf(nth)}>
                <path className={styles.line} d={line.path} />
                <circle cx={line.end.x} cy={line.end.y} r={nth === 0 ? 5 : 4} />
                <text className={styles.label} x={box.width - box.right + 12} y={line.labelY + 4.5}>
                  {of.label}
                </text>
              </g>
            ),
        )}
    </svg>
  );
}

function anchorOf(nth: number, last: number) {
  if (nth === 0) return 'start';
  return nth === last ? 'end' : 'middle';
}

function LinesTable({ lines, steps, stepName, format }: Pick<LinesProps, 'lines' | 'steps' | 'stepName' | 'format'>) {
  const { t } = useLingui();
  return (
    <details className={styles.table}>
      <summary>{t`Show as a table`}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{stepName}</th>
            {lines.map(({ id, name }) => (
              <th key={id} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, nth) => (
            <tr key={step}>
              <th scope="row">{step}</th>
              {lines.map(({ id, values }) => (
                <td key={id}>{format(values[nth] ?? Number.NaN)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
