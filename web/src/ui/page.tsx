import clsx from 'clsx';
import { createContext, type ReactNode, use, useId } from 'react';
import { useMeant } from '../lib/use-meant.ts';
import styles from './page.module.css';

/** What the frame puts at the end of every screen's heading. */
export const HeadingCorner = createContext<ReactNode>(null);

/**
 * A screen that begins with a scene, which holds its heading; the rest lies on a sheet of paper below. On phones the scene
 * reaches from edge to edge and the sheet covers its end.
 */
export function ScenePage({ title, scene, children }: { title: string; scene: ReactNode; children: ReactNode }) {
  return (
    <div className={clsx(styles.page, styles.withScene)}>
      <title>{`${title} · Caravan`}</title>
      <div className={styles.scene}>{scene}</div>
      <div className={styles.sheet}>{children}</div>
    </div>
  );
}

/** A screen that is one scene; below it stands nothing. The heading is small: the scene says what the screen is. */
export function FullScene({ title, scene }: { title: string; scene: (head: ReactNode) => ReactNode }) {
  const corner = use(HeadingCorner);
  const head = (
    <div className={styles.fullHead}>
      <h1 tabIndex={-1}>{title}</h1>
      {corner}
    </div>
  );
  return (
    <div className={styles.full}>
      <title>{`${title} · Caravan`}</title>
      {scene(head)}
    </div>
  );
}

/** The row above a scene's heading on phones: the product's name, and the bell in the corner. */
export function SceneTop({ children }: { children: ReactNode }) {
  const corner = use(HeadingCorner);
  return (
    <div className={styles.sceneTop}>
      {children}
      {corner}
    </div>
  );
}

/**
 * A screen's content under its heading. The title names the browser's tab; after a navigation the heading takes the
 * focus, so that a screen reader says where one is.
 */
export function Page({
  title,
  heading,
  lead,
  aside,
  before,
  width = 'page',
  children,
}: {
  title: string;
  /** The visible heading, where it differs from the title. */
  heading?: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  /** Stands above the heading: the way back. */
  before?: ReactNode;
  /** text: a single column to read. */
  width?: 'page' | 'text';
  children: ReactNode;
}) {
  const corner = use(HeadingCorner);
  return (
    <div className={clsx(styles.page, styles[width])}>
      <title>{`${title} · Caravan`}</title>
      {before && <div className={styles.before}>{before}</div>}
      <div className={styles.head}>
        <div>
          <h1 tabIndex={-1}>{heading ?? title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {corner && <div className={styles.corner}>{corner}</div>}
        {aside}
      </div>
      {children}
    </div>
  );
}

/** Two columns on wide screens: what I do, and beside it what others do. */
export const Columns = ({ main, side }: { main: ReactNode; side: ReactNode }) => (
  <div className={styles.columns}>
    <div className={styles.stack}>{main}</div>
    <div className={styles.stack}>{side}</div>
  </div>
);

/** A stream to read, as wide as text, and on wide screens beside it what stays in sight while one reads on. */
export const BesideStream = ({ stream, side }: { stream: ReactNode; side?: ReactNode }) => (
  <div className={styles.stream}>
    <div>{stream}</div>
    {side && (
      <aside className={styles.besideStream}>
        <div className={styles.sticky}>{side}</div>
      </aside>
    )}
  </div>
);

export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;

type CardProps = {
  title?: ReactNode;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** brand: quietly tinted, for what concerns the reader most; paper: a list that only tells lies flat on the page. */
  tone?: 'plain' | 'brand' | 'paper';
  className?: string | undefined;
  /** The fragment of the links that lead to it. */
  anchor?: string;
  /** The id of its heading, where that stands among the children. */
  labelledBy?: string;
  children: ReactNode;
};

/** Something that can be lifted apart; with a title it is a region of that name. */
export function Card({ title, aside, tone = 'plain', className, anchor, labelledBy, children }: CardProps) {
  const titleId = useId();
  const { ref, id } = useMeant<HTMLElement>(anchor);
  return (
    <section
      ref={ref}
      id={id}
      className={clsx(styles.card, styles[tone], className)}
      aria-labelledby={title ? titleId : labelledBy}
    >
      {title && (
        <div className={styles.heading}>
          <h2 id={titleId}>{title}</h2>
          {aside && <div className={styles.aside}>{aside}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
