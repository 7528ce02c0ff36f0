import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { MapPin, MapPinOff } from 'lucide-react';
import { serverMessage } from '../../lib/http-error.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './account.module.css';
import { invitationQuery } from './api.ts';

/** The organisation an invite leads to, or why it leads nowhere; the form stands either way (D1). */
export function WhereItLeads({ code }: { code: string }) {
  const { t } = useLingui();
  const { data, error } = useQuery(invitationQuery(code));
  if (error)
    return (
      <div className={clsx(styles.where, styles.closed)} role="status">
        <MapPinOff size={26} aria-hidden="true" />
        <span>
          <b>{serverMessage(error, t`This invite could not be checked`)}</b>
          {t`Ask for a new one, or start a new organisation.`}
        </span>
      </div>
    );
  return (
    <div className={styles.where} role="status">
      {data ? (
        <>
          {data.logoUrl ? <img src={data.logoUrl} alt="" /> : <MapPin size={26} aria-hidden="true" />}
          <span>
            <Trans>
              You are joining <b>{data.organizationName}</b>
            </Trans>
          </span>
        </>
      ) : (
        <Skeleton width={180} height={20} />
      )}
    </div>
  );
}
