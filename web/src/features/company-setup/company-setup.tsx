import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { companyQuery } from './api.ts';
import { SetupForm } from './setup-form.tsx';

/** The branding wizard, filled in with what is known (2.109). */
export function CompanySetup() {
  const { t } = useLingui();
  const company = useQuery(companyQuery);
  return (
    <Page title={t`Company Setup`} lead={t`Make the caravan look like yours. Everybody sees it at once.`}>
      <Loading isLoading={company.isPending} skeleton={<FormSkeleton />}>
        {() =>
          company.data ? (
            <SetupForm company={company.data} />
          ) : (
            <Card>
              <ErrorState
                title={t`The set-up could not be loaded`}
                hint={t`Please try again later.`}
                onRetry={() => void company.refetch()}
              />
            </Card>
          )
        }
      </Loading>
    </Page>
  );
}

const FormSkeleton = () => (
  <Columns
    main={
      <Card>
        <Skeleton width={160} height={20} />
        <Skeleton height={220} />
      </Card>
    }
    side={
      <Card>
        <Skeleton width={120} height={20} />
        <Skeleton height={320} />
      </Card>
    }
  />
);
