import { createFileRoute } from '@tanstack/react-router';
import { Unsubscribe } from '../features/email/unsubscribe.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/unsubscribe')({
  validateSearch: ({ token }: { token?: string }): { token?: string } => (token === undefined ? {} : { token }),
  component: UnsubscribeRoute,
});

function UnsubscribeRoute() {
  const { token = '' } = Route.useSearch();
  return (
    <PublicFrame>
      <Unsubscribe token={token} />
    </PublicFrame>
  );
}
