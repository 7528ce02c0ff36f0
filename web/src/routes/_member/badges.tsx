import { createFileRoute } from '@tanstack/react-router';
import { galleryQuery } from '../../features/badges/api.ts';
import { Gallery } from '../../features/badges/gallery.tsx';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/badges')({
  loader: ({ context }) => inAdvance(context.queryClient.query(galleryQuery)),
  component: Gallery,
});
