import { createFileRoute } from '@tanstack/react-router';
import { userQuery } from '../../features/people/api.ts';
import { UserProfile } from '../../features/people/user-profile.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/user/$id')({
  validateSearch: ({ edit }: { edit?: string }): { edit?: string } => (edit === undefined ? {} : { edit }),
  loader: ({ context, params }) => inAdvance(context.queryClient, userQuery(params.id)),
  component: UserRoute,
});

function UserRoute() {
  const { id } = Route.useParams();
  return <UserProfile key={id} id={id} opensInEdit={Route.useSearch().edit !== undefined} />;
}
