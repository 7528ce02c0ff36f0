import { createFileRoute } from '@tanstack/react-router';
import { Entry } from '../../features/feed/entry.tsx';
import { openThreadOf } from './-thread-of.tsx';

export const Route = createFileRoute('/_member/feed_/$id')({ component: EntryRoute });

function EntryRoute() {
  const { id } = Route.useParams();
  return <Entry key={id} id={id} threadOf={openThreadOf} />;
}
