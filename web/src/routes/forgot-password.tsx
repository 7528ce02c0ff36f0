import { createFileRoute } from '@tanstack/react-router';
import { ForgotPassword } from '../features/recovery/recovery.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/forgot-password')({
  component: () => (
    <PublicFrame>
      <ForgotPassword />
    </PublicFrame>
  ),
});
