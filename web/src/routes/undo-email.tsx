import { createFileRoute } from '@tanstack/react-router';
import { UndoEmail } from '../features/email/email-links.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/undo-email')({
  validateSearch: ({ token }: { token?: string }): { token?: string } => (token === undefined ? {} : { token }),
  component: UndoEmailRoute,
});

function UndoEmailRoute() {
  const { token = '' } = Route.useSearch();
  return (
    <PublicFrame>
      <UndoEmail token={token} />
    </PublicFrame>
  );
}
