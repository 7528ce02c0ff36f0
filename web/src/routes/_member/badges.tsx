import { createFileRoute } from '@tanstack/react-router';
import { earnedBadgesQuery, galleryQuery } from '../../features/badges/api.ts';
import { Gallery } from '../../features/badges/gallery.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/badges')({
  loader: ({ context: { queryClient } }) => {
    inAdvance(queryClient, galleryQuery);
    inAdvance(queryClient, earnedBadgesQuery);
  },
  component: Gallery,
});
