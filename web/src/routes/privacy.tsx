import { createFileRoute } from '@tanstack/react-router';
import { Legal } from '../features/legal/legal.tsx';
import { privacy } from '../features/legal/texts.ts';
import { PublicFrame } from '../features/shell/public-frame.tsx';

export const Route = createFileRoute('/privacy')({
  component: () => (
    <PublicFrame>
      <Legal text={privacy} />
    </PublicFrame>
  ),
});
