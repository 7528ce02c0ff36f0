import { createFileRoute } from '@tanstack/react-router';
import { journeyQuery } from '../../features/journey/api.ts';
import { Journey } from '../../features/journey/journey.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/journey')({
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ context }) => inAdvance(context.queryClient, journeyQuery),
  component: Journey,
});
