import { createFileRoute } from '@tanstack/react-router';
import { recapQuery } from '../../features/recaps/api.ts';
import { Recap } from '../../features/recaps/recap.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/recaps_/$week')({
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ context, params }) => inAdvance(context.queryClient, recapQuery(params.week)),
  component: RecapRoute,
});

function RecapRoute() {
  const { week } = Route.useParams();
  return <Recap key={week} week={week} />;
}
