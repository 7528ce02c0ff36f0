import { HttpError } from './http-error.ts';
import { currentSession } from './session-state.ts';

/** The parts of a call that one `Idempotency-Key` stands for. */
type Request = { readonly path?: unknown; readonly body?: unknown };

/** The answer may have been lost: a repetition with the same key is answered as the first time. */
type Attempt = { readonly key: string; readonly request: Request; readonly sentAt: number };

export type Keyed<Sent extends Request> = Sent & { headers: { 'Idempotency-Key': string } };

/**
 * @property isRepeated the answer is that to an earlier attempt, whose answer had been lost
 * @property isEarlier that attempt was another request than the given one, which was not sent
 */
export type Outcome<Sent extends Request, Answer> = {
  readonly answer: Answer;
  readonly request: Sent;
  readonly isRepeated: boolean;
  readonly isEarlier: boolean;
};

/** Servers keep answers for 48 hours; after that a repetition would do the work a second time. */
const repeatableMilliseconds = 24 * 3_600_000;

/**
 * Sends a request that must take effect once, whatever is lost on the way. While no answer has arrived, the attempt is
 * kept, over reloads too. The next call of the same act repeats that attempt with its own key first: a key never
 * travels with another request. The given request is sent only where the server did not take the earlier one.
 * @param act names what the person wants done once: one draft, one run of the timer
 */
export async function sendOnce<Sent extends Request, Answer>(
  act: string,
  request: Sent,
  send: (keyed: Keyed<Sent>) => Promise<Answer>,
): Promise<Outcome<Sent, Answer>> {
  const earlier = attempts().get(act) as (Attempt & { request: Sent }) | undefined;
  if (earlier === undefined) return attempt(act, newAttempt(request), send);
  const isEarlier = JSON.stringify(earlier.request) !== JSON.stringify(request);
  try {
    return { ...(await attempt(act, earlier, send)), isRepeated: true, isEarlier };
  } catch (error) {
    if (!isEarlier || attempts().has(act)) throw error;
    return attempt(act, newAttempt(request), send);
  }
}

/** Sends a request with a key of its own, where a later one simply replaces it. */
export const sendAnew = <Sent extends Request, Answer>(
  request: Sent,
  send: (keyed: Keyed<Sent>) => Promise<Answer>,
): Promise<Answer> => send(withKey(newAttempt(request)));

const newAttempt = <Sent extends Request>(request: Sent) => ({ key: crypto.randomUUID(), request, sentAt: Date.now() });

const withKey = <Sent extends Request>({ key, request }: { key: string; request: Sent }): Keyed<Sent> => ({
  ...request,
  headers: { 'Idempotency-Key': key },
});

async function attempt<Sent extends Request, Answer>(
  act: string,
  sent: Attempt & { request: Sent },
  send: (keyed: Keyed<Sent>) => Promise<Answer>,
): Promise<Outcome<Sent, Answer>> {
  const isRepetition = attempts().has(act);
  store(act, sent);
  try {
    const answer = await send(withKey(sent));
    store(act, undefined);
    return { answer, request: sent.request, isRepeated: false, isEarlier: false };
  } catch (error) {
    if (isRefused(error, isRepetition)) store(act, undefined);
    throw error;
  }
}

/** Refusals of a repetition that tell nothing about the first attempt: the session ended, or a limit is reached. */
const inconclusiveStatuses = [401, 403, 408, 429];

/** The server has decided against the request; a refusal leaves its key unused (D38). */
const isRefused = (error: unknown, isRepetition: boolean): boolean =>
  error instanceof HttpError && error.status < 500 && !(isRepetition && inconclusiveStatuses.includes(error.status));

/** Where the browser refuses to store. */
let inMemory = '{}';

const storageKey = (): string => `caravan:attempts:${currentSession().user?.id ?? ''}`;

function attempts(): Map<string, Attempt> {
  const oldest = Date.now() - repeatableMilliseconds;
  try {
    const all = JSON.parse(localStorage.getItem(storageKey()) ?? inMemory) as Record<string, Attempt>;
    return new Map(Object.entries(all).filter(([, { sentAt }]) => sentAt > oldest));
  } catch {
    return new Map();
  }
}

function store(act: string, sent: Attempt | undefined): void {
  const all = attempts();
  if (sent) all.set(act, sent);
  else all.delete(act);
  const text = JSON.stringify(Object.fromEntries(all));
  const key = storageKey();
  inMemory = '{}';
  try {
    if (all.size > 0) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    inMemory = text;
    localStorage.removeItem(key);
  }
}
