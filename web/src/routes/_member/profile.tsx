import { createFileRoute } from '@tanstack/react-router';
import { Shelf } from '../../features/badges/shelf.tsx';
import { BadgesOfMine } from '../../features/badges/strip.tsx';
import { Logs } from '../../features/logs/logs.tsx';
import { OwnProfile } from '../../features/people/own-profile.tsx';
import { PhotoChoice } from '../../features/photos/photo-choice.tsx';

export const Route = createFileRoute('/_member/profile')({
  component: () => <OwnProfile shelf={<Shelf />} badges={<BadgesOfMine />} logs={<Logs PhotoChoice={PhotoChoice} />} />,
});
