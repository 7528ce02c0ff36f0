import { createFileRoute } from '@tanstack/react-router';
import { ResetPassword } from '../features/recovery/recovery.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: { token?: string }): { token?: string } => (token === undefined ? {} : { token }),
  component: ResetPasswordRoute,
});

function ResetPasswordRoute() {
  const { token = '' } = Route.useSearch();
  return (
    <PublicFrame>
      <ResetPassword token={token} />
    </PublicFrame>
  );
}
