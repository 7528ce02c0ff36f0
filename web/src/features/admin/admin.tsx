import { useLingui } from '@lingui/react/macro';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  ArrowLeft,
  Building2,
  ChartColumn,
  ChartSpline,
  ChevronRight,
  Flag,
  ListChecks,
  Signpost,
  MessageCircleWarning,
  ScrollText,
  SlidersHorizontal,
  Ticket,
  UsersRound,
  Vote,
  type LucideIcon,
} from 'lucide-react';
import { useBranding } from '../../lib/branding.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import styles from './admin.module.css';
import { StreakFreezes } from './streak-freezes.tsx';

/** The admins' start (2.77), and beyond it the people of the organisation and its way. */
export function Admin() {
  const { t } = useLingui();
  const { name } = useBranding();
  return (
    <Page
      title={t`Admin Dashboard`}
      lead={name}
      aside={
        <Button asChild variant="soft" size="small">
          <Link to="/dashboard">
            <ArrowLeft size={18} aria-hidden="true" />
            {t`Back`}
          </Link>
        </Button>
      }
    >
      <Columns
        main={
          <>
            <Card title={t`Set up`}>
              <ul className={styles.tiles}>
                <Way
                  to="/company-setup"
                  icon={Building2}
                  title={t`Company Setup`}
                  text={t`Name, logo, colors and character`}
                />
                <Way
                  to="/team-voting"
                  icon={Vote}
                  title={t`Team Management`}
                  text={t`Let the teams vote on their names`}
                />
                <Way to="/leaderboard" icon={ChartColumn} title={t`Analytics`} text={t`Miles of members and teams`} />
                <Way
                  to="/settings"
                  icon={SlidersHorizontal}
                  title={t`System Settings`}
                  text={t`Appearance, privacy, sessions`}
                />
              </ul>
            </Card>
            <Card title={t`On the way`}>
              <ul className={styles.rows}>
                <Way to="/admin/challenges" icon={ListChecks} title={t`Challenges`} text={t`What the weeks ask for`} />
                <Way to="/admin/journey" icon={Signpost} title={t`Journey`} text={t`The route that all teams travel`} />
              </ul>
            </Card>
            <StreakFreezes />
          </>
        }
        side={
          <Card title={t`People`}>
            <ul className={styles.rows}>
              <Way to="/admin/members" icon={UsersRound} title={t`Members`} text={t`Find, move, promote, deactivate`} />
              <Way to="/admin/teams" icon={Flag} title={t`Teams`} text={t`Form, rename and retire teams`} />
              <Way
                to="/admin/ballots"
                icon={Vote}
                title={t`Ballots`}
                text={t`Open, edit and close votes on team names`}
              />
              <Way
                to="/admin/comments"
                icon={MessageCircleWarning}
                title={t`Reported comments`}
                text={t`What members found unkind`}
              />
              <Way
                to="/admin/analytics"
                icon={ChartSpline}
                title={t`Participation`}
                text={t`Who moves, who stays, what helps`}
              />
              <Way to="/admin/invites" icon={Ticket} title={t`Invites`} text={t`Links and codes to join with`} />
              <Way to="/admin/audit" icon={ScrollText} title={t`Audit log`} text={t`Who did what, and when`} />
            </ul>
          </Card>
        }
      />
    </Page>
  );
}

function Way({
  to,
  icon: Icon,
  title,
  text,
}: {
  to: NonNullable<LinkProps['to']>;
  icon: LucideIcon;
  title: string;
  text: string;
}) {
  return (
    <li>
      <Link to={to} className={styles.way}>
        <span className={styles.icon}>
          <Icon size={22} aria-hidden="true" />
        </span>
        <span className={styles.words}>
          <b>{title}</b>
          {text}
        </span>
        <ChevronRight className={styles.end} size={20} aria-hidden="true" />
      </Link>
    </li>
  );
}
