import { createFileRoute } from '@tanstack/react-router';
import { Legal, terms } from '../features/legal/legal.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/terms')({
  component: () => (
    <PublicFrame>
      <Legal text={terms} />
    </PublicFrame>
  ),
});
