import { createFileRoute } from '@tanstack/react-router';
import { Legal, privacy } from '../features/legal/legal.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/privacy')({
  component: () => (
    <PublicFrame>
      <Legal text={privacy} />
    </PublicFrame>
  ),
});
