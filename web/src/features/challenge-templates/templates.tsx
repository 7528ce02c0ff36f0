import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { fieldRefusals } from '../../lib/http-error.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button, Tag } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { TemplateDialog, templatesQuery, useSaveRefusal, useSaveTemplates, useWords } from './template-dialog.tsx';
import type { Template } from './template.ts';
import styles from './templates.module.css';

/** What the weekly challenges of the organisation are drawn from: edit, add, switch off (D14). */
export function Templates() {
  const { t } = useLingui();
  const { data: templates, isPending, refetch } = useQuery(templatesQuery);
  return (
    <Page
      title={t`Weekly challenges`}
      width="text"
      lead={t`Every week draws an individual distance, a number of days and a team challenge from these.`}
      aside={<BackLink to="/admin" />}
    >
      <Loading isLoading={isPending} skeleton={<Skeleton height={360} />}>
        {() =>
          templates ? (
            <List templates={templates} />
          ) : (
            <Card>
              <ErrorState
                title={t`The challenges could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

function List({ templates }: { templates: readonly Template[] }) {
  const { t } = useLingui();
  // The one that is edited, by its place; 'new' for one that is not there yet.
  const [edited, setEdited] = useState<number | 'new' | null>(null);
  return (
    <Card
      title={t`Templates`}
      aside={
        <Button variant="quiet" size="small" onClick={() => setEdited('new')}>
          <Plus size={18} aria-hidden="true" />
          {t`New challenge`}
        </Button>
      }
    >
      {templates.length === 0 ? (
        <EmptyState title={t`No template yet`} hint={t`Write the first one.`} />
      ) : (
        <ul className={styles.rows}>
          {templates.map((template, index) => (
            <Row
              key={template.id ?? template.name}
              templates={templates}
              index={index}
              template={template}
              onEdit={() => setEdited(index)}
            />
          ))}
        </ul>
      )}
      {edited !== null && (
        <TemplateDialog
          templates={templates}
          index={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

function Row({
  templates,
  index,
  template,
  onEdit,
}: {
  templates: readonly Template[];
  index: number;
  template: Template;
  onEdit: () => void;
}) {
  const { t } = useLingui();
  const { units, types } = useWords();
  const { name, description, targetValue, targetUnit, bonusMiles, challengeType, isActive = true } = template;
  const target = formatCount(targetValue);
  const unit = units[targetUnit];
  const save = useSaveTemplates();
  const saveRefusal = useSaveRefusal();
  const switchTo = (nowActive: boolean) =>
    save.mutate(
      {
        before: templates,
        wanted: templates.map((each, at) => (at === index ? { ...each, isActive: nowActive } : each)),
      },
      {
        onError: (error) =>
          toast({
            title: t`Not switched`,
            description: fieldRefusals(error)[0]?.message ?? saveRefusal(error),
            tone: 'error',
          }),
      },
    );
  return (
    <li className={styles.row} data-active={isActive}>
      <div className={styles.what}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p dir="auto">{description}</p>
        <div className={styles.tags}>
          <Tag>{`${target} ${unit}`}</Tag>
          <Tag>{types[challengeType]}</Tag>
          <Tag tone="brand">
            <Plural value={bonusMiles} one="+# mile" other="+# miles" />
          </Tag>
        </div>
      </div>
      <Button variant="plain" size="small" aria-label={t`Edit ${name}`} onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
        {t`Edit`}
      </Button>
      <div className={styles.switch}>
        <Switch
          label={
            <>
              <Hidden>{name}</Hidden> {t`Takes part`}
            </>
          }
          isOn={isActive}
          onChange={switchTo}
        />
      </div>
    </li>
  );
}
