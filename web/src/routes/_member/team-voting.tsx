import { createFileRoute } from '@tanstack/react-router';
import { TeamVoting } from '../../features/team-voting/team-voting.tsx';

export const Route = createFileRoute('/_member/team-voting')({ component: TeamVoting });
