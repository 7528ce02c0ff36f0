import { createFileRoute } from '@tanstack/react-router';
import { Legal } from '../features/legal/legal.tsx';
import { terms } from '../features/legal/texts.ts';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/terms')({
  component: () => (
    <PublicFrame>
      <Legal text={terms} />
    </PublicFrame>
  ),
});
