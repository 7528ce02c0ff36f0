import { versionOf } from '@caravan/contracts/domain/version';
import { HttpError } from './http-error.ts';

const mostTries = 3;

const isStale = (error: unknown): boolean => error instanceof HttpError && error.status === 412;

/**
 * Saves an object that others may save as well. Where it is no longer as it was shown, it is read again and the change is made to
 * what it is now.
 * @param change what a person did, on any state; it may throw `ChangedMeanwhile`
 * @param send with the state and the headers that bind it to the state it was made from
 */
export async function saveOnLatest<State, Wanted, Answer>(
  shown: State,
  read: () => Promise<State>,
  change: (state: State) => Wanted,
  send: (wanted: Wanted, headers: { 'If-Match': string }) => Promise<Answer>,
): Promise<Answer> {
  let state = shown;
  for (let left = mostTries; ; left -= 1) {
    try {
      return await send(change(state), { 'If-Match': `"${versionOf(state)}"` });
    } catch (error) {
      if (left === 1 || !isStale(error)) throw error;
      state = await read();
    }
  }
}

/** Somebody else has changed the same part meanwhile: the person decides. */
export class ChangedMeanwhile<State> extends Error {
  override readonly name = 'ChangedMeanwhile';
  readonly state: State;
  readonly fields: readonly (keyof State)[];

  /** @param state what it is now */
  constructor(state: State, fields: readonly (keyof State)[]) {
    super('Changed meanwhile');
    this.state = state;
    this.fields = fields;
  }
}

const isSame = (one: unknown, other: unknown): boolean => versionOf(one) === versionOf(other);

/** Whether a save that ended with this error may have been stored although its answer did not arrive. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof HttpError ? error.status >= 500 : !(error instanceof ChangedMeanwhile);

/** A form's earlier states whose save ended without an answer: the server may hold any of them. */
type PossiblySaved<State> = readonly State[];

const changedIn = <State extends object>(
  before: State,
  draft: State,
  unanswered: PossiblySaved<State>,
): (keyof State)[] =>
  (Object.keys(draft) as (keyof State)[]).filter((name) =>
    [before, ...unanswered].some((state) => !isSame(draft[name], state[name])),
  );

/** A form on top of what is there now: its own fields where the person changed them, the others as they are. */
export function withOwnChanges<State extends object>(
  before: State,
  draft: State,
  now: State,
  unanswered: PossiblySaved<State> = [],
): State {
  const own = changedIn(before, draft, unanswered);
  const names = Object.keys(draft) as (keyof State)[];
  return Object.fromEntries(names.map((name) => [name, own.includes(name) ? draft[name] : now[name]])) as State;
}

/** `withOwnChanges`; throws `ChangedMeanwhile` where somebody else has changed a field to another value, too. */
export function mergeForm<State extends object>(
  before: State,
  draft: State,
  now: State,
  unanswered: PossiblySaved<State> = [],
): State {
  const own = [before, draft, ...unanswered];
  const clashes = changedIn(before, draft, unanswered).filter(
    (name) => !own.some((state) => isSame(now[name], state[name])),
  );
  if (clashes.length > 0) throw new ChangedMeanwhile(now, clashes);
  return withOwnChanges(before, draft, now, unanswered);
}
