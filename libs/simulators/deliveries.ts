export type Delivery = {
  readonly body: string;
  readonly attempts: readonly { readonly status: number; readonly milliseconds: number }[];
};
export type DeliveryOptions = {
  /** Each is sent so often; 1 unless said otherwise. */
  readonly copies?: number;
  /** In which order; as they happened unless said otherwise. */
  readonly order?: 'as-happened' | 'reversed' | 'shuffled';
  /** Of chance, in tests. */
  readonly random?: () => number;
};
type Rules = {
  readonly attempts: number;
  readonly timerMilliseconds: number;
  /** Before the second attempt; twice as long before each further one. */
  readonly pauseMilliseconds: number;
  readonly isTaken: (status: number) => boolean;
};
type Send = { readonly url: string; readonly headers: (body: string) => Record<string, string> };

/** What a platform tells of, in its own time: what is not taken in time is told again, so often. */
export class Deliveries {
  waiting: string[] = [];
  readonly done: Delivery[] = [];
  private readonly ended = new AbortController();

  constructor(private readonly rules: Rules) {}

  note(event: unknown): void {
    this.waiting.push(JSON.stringify(event));
  }

  /** Sends what waits, all at once; answers when the last was taken or given up. */
  async deliver(send: Send, { copies = 1, order = 'as-happened', random = Math.random }: DeliveryOptions = {}) {
    const bodies = this.waiting.splice(0).flatMap((body) => Array.from({ length: copies }, () => body));
    if (order === 'reversed') bodies.reverse();
    if (order === 'shuffled') shuffle(bodies, random);
    return Promise.all(bodies.map((body) => this.deliverOne(body, send)));
  }

  close(): void {
    this.ended.abort();
  }

  private async deliverOne(body: string, { url, headers }: Send): Promise<Delivery> {
    const attempts: { status: number; milliseconds: number }[] = [];
    const { attempts: most, timerMilliseconds, pauseMilliseconds, isTaken } = this.rules;
    for (let nth = 0; nth < most && !this.ended.signal.aborted; nth += 1) {
      if (nth > 0) await pause(pauseMilliseconds * 2 ** (nth - 1), this.ended.signal);
      const from = performance.now();
      const status = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers(body) },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(timerMilliseconds), this.ended.signal]),
      }).then(
        (answer) => answer.body?.cancel().then(() => answer.status) ?? answer.status,
        () => 0,
      );
      attempts.push({ status, milliseconds: Math.round(performance.now() - from) });
      if (isTaken(status)) break;
    }
    const delivery = { body, attempts };
    this.done.push(delivery);
    if (this.done.length > 1_000) this.done.shift();
    return delivery;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function shuffle(list: string[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other] ?? '', list[last] ?? ''];
  }
}
