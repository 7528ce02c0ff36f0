import type { UserProfile } from '@caravan/contracts/http/people';
import { useLingui } from '@lingui/react/macro';
import { Check, UserPlus } from 'lucide-react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useFollow } from './api.ts';

/** Follows a colleague, or no more (D46). */
export function FollowButton({ user: { id, isFollowing } }: { user: UserProfile }) {
  const { t } = useLingui();
  const { mutate, isPending } = useFollow(id);
  const press = () => {
    // One answer at a time: the second press would cross the first on its way.
    if (isPending) return;
    mutate(!isFollowing, {
      onError: (error) =>
        toast({
          title: t`Error`,
          description: serverMessage(error, t`That did not work. Please try again.`),
          tone: 'error',
        }),
    });
  };
  const Icon = isFollowing ? Check : UserPlus;
  return (
    <Button variant={isFollowing ? 'quiet' : 'primary'} size="small" onClick={press}>
      <Icon size={18} aria-hidden="true" />
      {isFollowing ? t`Following` : t`Follow`}
    </Button>
  );
}
