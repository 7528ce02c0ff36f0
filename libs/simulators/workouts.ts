import { z } from 'zod';

export const workoutSchema = z.object({
  /** Whose: an id at the platform. */
  person: z.string().min(1).max(60),
  /** As the platform calls it: 'Run', 'WALKING'. */
  type: z.string().max(100),
  startedAt: z.iso.datetime(),
  movingSeconds: z.number().int().nonnegative(),
  /** With pauses; as long as the moving unless said otherwise. */
  elapsedSeconds: z.number().int().nonnegative().optional(),
  meters: z.number().nonnegative().default(0),
  heartRate: z.number().positive().nullable().default(null),
  calories: z.number().nonnegative().nullable().default(null),
  isPrivate: z.boolean().default(false),
});
export type NewWorkout = z.input<typeof workoutSchema>;
export type SimulatedWorkout = z.infer<typeof workoutSchema> & { readonly id: string; readonly changedAt: string };

export const changesSchema = z.object({
  type: z.string().max(100).optional(),
  startedAt: z.iso.datetime().optional(),
  movingSeconds: z.number().int().nonnegative().optional(),
  meters: z.number().nonnegative().optional(),
});
export type Changes = z.infer<typeof changesSchema>;

export class Workouts {
  all: SimulatedWorkout[] = [];

  constructor(
    private readonly idOf: (nth: number) => string,
    private readonly now: () => number,
  ) {}

  nth = 0;

  add(workout: NewWorkout): SimulatedWorkout {
    const added = { ...workoutSchema.parse(workout), id: this.idOf((this.nth += 1)), changedAt: this.instant() };
    this.all.push(added);
    return added;
  }

  change(id: string, changes: Changes): SimulatedWorkout | undefined {
    const found = this.find(id);
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return found && Object.assign(found, given, { changedAt: this.instant() });
  }

  delete(id: string): SimulatedWorkout | undefined {
    const found = this.find(id);
    this.all = this.all.filter((one) => one !== found);
    return found;
  }

  find(id: string): SimulatedWorkout | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Newest first. */
  of(person: string): SimulatedWorkout[] {
    const own = this.all.filter((one) => one.person === person);
    return own.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  }

  private instant(): string {
    return new Date(this.now()).toISOString();
  }
}

const dayMilliseconds = 86_400_000;

/** What somebody has done lately who begins to use the platform. */
export function lately(person: string, types: readonly [string, string, string], now: number): NewWorkout[] {
  const [walk, run, ride] = types;
  const ago = (days: number, hour: number) => {
    const day = new Date(now - days * dayMilliseconds);
    return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour, 10)).toISOString();
  };
  return [
    { person, type: walk, startedAt: ago(1, 12), movingSeconds: 1_980, elapsedSeconds: 2_100, meters: 2_650 },
    { person, type: run, startedAt: ago(2, 7), movingSeconds: 1_860, meters: 5_200, heartRate: 151, calories: 390 },
    { person, type: ride, startedAt: ago(4, 17), movingSeconds: 3_300, elapsedSeconds: 3_900, meters: 18_400 },
    { person, type: walk, startedAt: ago(5, 18), movingSeconds: 2_520, meters: 3_300, calories: 160 },
  ];
}
