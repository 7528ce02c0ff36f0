import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Popover } from '../../ui/popover.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';

/** What happened to one's miles and team, behind the bell. */
export function Notifications({ bell, isOpenAtFirst }: { bell: ReactNode; isOpenAtFirst: boolean }) {
  const { t } = useLingui();
  return (
    <TooltipProvider>
      <Popover label={t`Notifications`} trigger={bell} isOpenAtFirst={isOpenAtFirst}>
        <EmptyState
          title={t`Nothing new`}
          hint={t`When something happens to your miles or your team, you read it here.`}
        />
      </Popover>
    </TooltipProvider>
  );
}
