import type { SignupAnswer } from '@caravan/contracts/http/accounts';
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Signup } from '../features/account/signup.tsx';
import { Onboarding } from '../features/onboarding/onboarding.tsx';
import { PublicFrame } from '../features/shell/public-frame.tsx';
import { currentSession, setOnboarding, startSession } from '../lib/session-state.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: ({ invite }: { invite?: string }): { invite?: string } => (invite === undefined ? {} : { invite }),
  beforeLoad: () => {
    const session = currentSession();
    if (session.status === 'signed-in' && !session.isOnboarding) throw redirect({ to: '/dashboard', replace: true });
  },
  component: SignupRoute,
});

/** The account first, then the four steps, both without navigation around them. */
function SignupRoute() {
  const { invite } = Route.useSearch();
  const navigate = useNavigate();
  const [joined, setJoined] = useState<SignupAnswer | null>(null);
  const begin = (answer: SignupAnswer) => {
    setJoined(answer);
    startSession(answer.token, answer.user);
    setOnboarding(true);
  };
  const finish = () => {
    setOnboarding(false);
    void navigate({ to: '/dashboard' });
  };
  return (
    <PublicFrame>
      {joined ? (
        <Onboarding name={joined.user.name} team={joined.assignedTeam} onDone={finish} />
      ) : (
        <Signup invite={invite} onSignedUp={begin} />
      )}
    </PublicFrame>
  );
}
