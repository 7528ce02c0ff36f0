import type { ActivityLevel } from '@caravan/contracts/events/fields';
import { firstNameOf } from '@caravan/contracts/domain/text/first-name';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Footprints, Map, Timer, Users } from 'lucide-react';
import * as RadioGroup from '@radix-ui/react-radio-group';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { chooseActivityLevel } from '../../lib/api/generated/sdk.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { storedToken } from '../../lib/session-state.ts';
import { levelDrawings } from '../../ui/activity-drawings.ts';
import { Button } from '../../ui/button.tsx';
import { Draw } from '../../ui/drawing.tsx';
import { toast } from '../../ui/toast-state.ts';
import { FirstSteps } from '../../ui/trail.tsx';
import styles from './onboarding.module.css';

const levelStep = 2;
const lastStep = 3;

/** The four steps after a sign-up. */
export function Onboarding({
  name,
  team,
  onDone,
}: {
  name: string;
  team: { name: string; emoji: string };
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [step, setStep] = useState(0);
  const [level, setLevel] = useState<ActivityLevel | null>(null);
  const choose = useChooseActivityLevel();
  const mayContinue = step !== levelStep || level !== null;

  // Leaving the third step saves the choice, whichever way one leaves it.
  const goTo = (next: number) => {
    if (step !== levelStep || level === null) return setStep(next);
    choose.mutate(level, {
      onSuccess: () => setStep(next),
      onError: (error) =>
        toast({
          title: t`Failed to update activity level`,
          description: serverMessage(error, error.message),
          tone: 'error',
        }),
    });
  };
  return (
    <div className={styles.onboarding}>
      <title>{`${t`Welcome`} · Caravan`}</title>
      <div className={styles.card}>
        <Dots step={step} reachable={level === null ? levelStep : lastStep} onGo={goTo} />
        {step === 0 && <Welcome name={name} />}
        {step === 1 && <HowItWorks />}
        {step === levelStep && <ActivityLevels chosen={level} onChoose={setLevel} />}
        {step === lastStep && <YourTeam team={team} />}
        <div className={styles.actions}>
          {step < lastStep ? (
            <Button
              isWide
              disabled={!mayContinue}
              isBusy={choose.isPending}
              onClick={() => goTo(step + 1)}
            >{t`Continue`}</Button>
          ) : (
            <Button isWide onClick={onDone}>{t`Get Started`}</Button>
          )}
          {step > 0 && <Button variant="plain" size="small" onClick={() => goTo(step - 1)}>{t`Back`}</Button>}
        </div>
      </div>
    </div>
  );
}

function Dots({ step, reachable, onGo }: { step: number; reachable: number; onGo: (step: number) => void }) {
  const { t } = useLingui();
  return (
    <ol className={styles.dots} aria-label={t`Steps`}>
      {[0, 1, 2, 3].map((dot) => (
        <li key={dot}>
          <button
            type="button"
            aria-label={t`Step ${dot + 1} of 4`}
            aria-current={dot === step ? 'step' : undefined}
            disabled={dot > reachable && dot > step}
            onClick={() => onGo(dot)}
          />
        </li>
      ))}
    </ol>
  );
}

function Welcome({ name }: { name: string }) {
  const first = firstNameOf(name);
  return (
    <>
      <FirstSteps />
      <StepHeading>
        <Trans>Welcome, {first}!</Trans>
      </StepHeading>
      <p className={styles.lead}>
        <Trans>A caravan moves because everybody in it does. Here is how yours travels.</Trans>
      </p>
    </>
  );
}

function HowItWorks() {
  const { t } = useLingui();
  const points = [
    { Icon: Footprints, text: t`Log everyday movement: walks, chores, workouts.` },
    { Icon: Timer, text: t`10 minutes = 1 mile` },
    { Icon: Users, text: t`Miles go to personal and team totals.` },
    { Icon: Map, text: t`Reach new destinations together.` },
  ];
  return (
    <>
      <StepHeading>{t`How it works`}</StepHeading>
      <ul className={styles.points}>
        {points.map(({ Icon, text }) => (
          <li key={text}>
            <Icon size={22} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}

function YourTeam({ team }: { team: { name: string; emoji: string } }) {
  const { t } = useLingui();
  return (
    <>
      <p className={styles.emblem} aria-hidden="true">
        {team.emoji}
      </p>
      <StepHeading>{t`You're on team ${team.name}`}</StepHeading>
      <p className={styles.lead}>{t`Every mile you move carries all of you further.`}</p>
    </>
  );
}

function ActivityLevels({
  chosen,
  onChoose,
}: {
  chosen: ActivityLevel | null;
  onChoose: (level: ActivityLevel) => void;
}) {
  const { t } = useLingui();
  const levels: { level: ActivityLevel; text: string }[] = [
    { level: 'none', text: t`Not active at all` },
    { level: 'light', text: t`I try to move when I can` },
    { level: 'moderate', text: t`I'm fairly consistent` },
    { level: 'active', text: t`I work out regularly` },
  ];
  return (
    <>
      <StepHeading>{t`How active are you?`}</StepHeading>
      <RadioGroup.Root
        className={styles.levels}
        aria-label={t`Activity level`}
        value={chosen ?? ''}
        onValueChange={(level) => onChoose(level as ActivityLevel)}
      >
        {levels.map(({ level, text }) => (
          <RadioGroup.Item key={level} value={level} className={styles.level} aria-label={text}>
            <Draw drawing={levelDrawings[level]} size={32} />
            {text}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </>
  );
}

/** A step's heading takes the focus, so that a screen reader follows. */
function StepHeading({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}

const useChooseActivityLevel = () =>
  useMutation({
    mutationFn: async (activityLevel: ActivityLevel) => {
      if (!storedToken()) throw new Error('Authentication required - no token in localStorage');
      return chooseActivityLevel({ body: { activityLevel } });
    },
  });
