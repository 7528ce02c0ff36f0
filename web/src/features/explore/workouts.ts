import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

type Difficulty = 'easy' | 'medium' | 'hard';

export type Workout = {
  id: string;
  title: MessageDescriptor;
  description: MessageDescriptor;
  durationMinutes: number;
  /** As the timer and the log name it. */
  activity: string;
  difficulty: Difficulty;
  miles: number;
};

export const difficulties: Record<Difficulty, MessageDescriptor> = {
  easy: msg`Easy`,
  medium: msg`Medium`,
  hard: msg`Hard`,
};

/** The fixed list of quick workouts (9.23). */
export const quickWorkouts: readonly Workout[] = [
  {
    id: 'walk-10',
    title: msg`10-min walk`,
    description: msg`Once around the block, phone in the pocket.`,
    durationMinutes: 10,
    activity: 'Walking',
    difficulty: 'easy',
    miles: 1,
  },
  {
    id: 'run-15',
    title: msg`15-min run`,
    description: msg`Easy out, a little quicker back.`,
    durationMinutes: 15,
    activity: 'Running',
    difficulty: 'medium',
    miles: 1.5,
  },
  {
    id: 'power-walk-20',
    title: msg`20-min power walk`,
    description: msg`Brisk enough that singing would be hard.`,
    durationMinutes: 20,
    activity: 'Walking',
    difficulty: 'easy',
    miles: 2,
  },
  {
    id: 'bike-30',
    title: msg`30-min bike ride`,
    description: msg`The long way to somewhere you were going anyway.`,
    durationMinutes: 30,
    activity: 'Biking',
    difficulty: 'medium',
    miles: 3,
  },
];

type ExampleChallenge = {
  id: string;
  title: MessageDescriptor;
  description: MessageDescriptor;
  /** 0 to 1. */
  share: number;
  target: MessageDescriptor;
};

/** The specification's samples (9.24). */
export const exampleChallenges: readonly ExampleChallenge[] = [
  {
    id: 'walk-5',
    title: msg`Walk 5 miles`,
    description: msg`Any walk counts: to the shops, round the block, with the dog.`,
    share: 0.6,
    target: msg`5 miles`,
  },
  {
    id: 'log-5-days',
    title: msg`Log 5 days`,
    description: msg`Ten minutes are enough to count a day.`,
    share: 0.4,
    target: msg`5 days`,
  },
  {
    id: 'team-50',
    title: msg`Team reaches 50 miles`,
    description: msg`Everybody in the team adds to it.`,
    share: 0.75,
    target: msg`50 miles`,
  },
];

export const tips: readonly { id: string; title: MessageDescriptor; text: MessageDescriptor }[] = [
  {
    id: 'count',
    title: msg`Everything counts`,
    text: msg`Carrying shopping, raking leaves, dancing in the kitchen: ten minutes of any of it is a mile.`,
  },
  {
    id: 'small',
    title: msg`Small and often`,
    text: msg`One log a day keeps a streak alive. A short walk after lunch is enough.`,
  },
  {
    id: 'together',
    title: msg`Ask someone along`,
    text: msg`A walk with a colleague earns miles twice: once for you, once for them.`,
  },
];
