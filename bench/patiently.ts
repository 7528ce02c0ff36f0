import { setTimeout as pause } from 'node:timers/promises';

const mostTimes = 20;

/** Whoever is told to come back does: preparing a measurement is none. */
export async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (let nth = 1; ; nth += 1) {
    const answer = await ask();
    const seconds = Number(answer.headers.get('retry-after'));
    const isLater = (answer.status === 503 || answer.status === 429) && seconds > 0;
    if (!isLater || nth === mostTimes) return answer;
    await answer.arrayBuffer();
    await pause(seconds * 1_000);
  }
}
