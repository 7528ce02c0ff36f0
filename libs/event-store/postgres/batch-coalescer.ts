type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export type BatchCoalescerOptions<Item, Result> = {
  /** An answer for each item, in their order. Never rejects. */
  readonly apply: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
  /** Which of those that wait go next; none: they wait until a batch under way has ended. */
  readonly take: (waiting: readonly Item[], underWay: ReadonlySet<Item>) => readonly Item[];
  /** A batch that takes longer no longer holds the next one back; for ever unless said otherwise. */
  readonly holdBackMilliseconds?: number;
};

/** Group commit: what arrives while a batch is under way shares the next one; a lone item waits for nobody. */
export class BatchCoalescer<Item, Result> {
  readonly #options: BatchCoalescerOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  readonly #underWay = new Set<Item>();
  #holder: object | undefined;
  #isScheduled = false;

  constructor(options: BatchCoalescerOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#underWay.size === 0;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#holder || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // What came in together comes in one turn of the event loop.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    const items = this.#waiting.map(({ item }) => item);
    const taken = new Set(this.#options.take(items, this.#underWay));
    if (taken.size === 0) return;
    const batch = this.#waiting.filter(({ item }) => taken.has(item));
    this.#waiting = this.#waiting.filter(({ item }) => !taken.has(item));
    void this.#run(batch);
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const release = this.#holdBack();
    for (const { item } of batch) this.#underWay.add(item);
    const answers = await this.#options.apply(batch.map(({ item }) => item));
    for (const { item } of batch) this.#underWay.delete(item);
    batch.forEach(({ resolve, reject }, nth) => {
      const answer = answers[nth];
      if (answer?.status === 'fulfilled') resolve(answer.value);
      else reject(answer?.reason ?? new Error('A batch answers each of its items'));
    });
    release();
    this.#schedule();
  }

  #holdBack(): () => void {
    const holder = {};
    this.#holder = holder;
    const release = (): void => {
      if (this.#holder === holder) this.#holder = undefined;
    };
    const { holdBackMilliseconds } = this.#options;
    if (holdBackMilliseconds === undefined) return release;
    const timer = setTimeout(() => {
      release();
      this.#schedule();
    }, holdBackMilliseconds);
    return () => {
      clearTimeout(timer);
      release();
    };
  }
}
