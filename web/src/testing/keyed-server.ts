import type { Answer } from './app.tsx';

/**
 * Keeps its answers by Idempotency-Key, as services do (D38), and loses the first of them on the way. A request without a
 * key is served each time.
 * @param lost how many answers never arrive
 * @param handle runs once for each key
 */
export function keyedServer(lost: number, handle: (body: unknown, request: Request) => Answer) {
  const answers = new Map<string, { text: string; answer: Answer }>();
  const served: unknown[] = [];
  const answerTo = async (request: Request): Promise<Answer> => {
    const key = request.headers.get('idempotency-key');
    const text = await request.clone().text();
    const known = key === null ? undefined : answers.get(key);
    if (known && known.text !== text)
      return {
        status: 422,
        body: {
          code: 'idempotency/key-reused',
          message: 'This Idempotency-Key was already used for a different request',
        },
      };
    const answer = known?.answer ?? handle(JSON.parse(text), request);
    if (!known && (answer.status ?? 200) < 400) {
      if (key !== null) answers.set(key, { text, answer });
      served.push(JSON.parse(text));
    }
    lost -= 1;
    if (lost >= 0) throw new TypeError('Failed to fetch');
    return answer;
  };
  return { answerTo, served };
}
