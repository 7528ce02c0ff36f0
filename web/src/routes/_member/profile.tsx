import { createFileRoute } from '@tanstack/react-router';
import { BadgesOfMine } from '../../features/badges/strip.tsx';
import { Posts } from '../../features/feed/posts.tsx';
import { Logs } from '../../features/logs/logs.tsx';
import { OwnProfile } from '../../features/people/own-profile.tsx';
import { PhotoChoice } from '../../features/photos/photo-choice.tsx';
import { threadOf } from './-thread-of.tsx';

export const Route = createFileRoute('/_member/profile')({
  component: () => (
    <OwnProfile
      feed={<Posts tab="mine" threadOf={threadOf} />}
      badges={<BadgesOfMine />}
      logs={<Logs PhotoChoice={PhotoChoice} />}
    />
  ),
});
