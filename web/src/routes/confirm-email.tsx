import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmail } from '../features/email/email-links.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/confirm-email')({
  validateSearch: ({ token }: { token?: string }): { token?: string } => (token === undefined ? {} : { token }),
  component: ConfirmEmailRoute,
});

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  return (
    <PublicFrame>
      <ConfirmEmail token={token} />
    </PublicFrame>
  );
}
