/** Of the app: in a quarter of an hour and in a day. */
export type StravaLimits = { readonly overall: readonly [number, number]; readonly read: readonly [number, number] };
export const usualLimits: StravaLimits = { overall: [200, 2_000], read: [100, 1_000] };

const windows = [900_000, 86_400_000] as const;

/** Counts what the app asks, refused calls too. */
export class Usage {
  limits = usualLimits;
  /** Calls refused with 429 since the start. */
  refused = 0;
  private readonly used = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** As if somebody else had asked so often by the same app. */
  spend(calls: number): void {
    for (const key of this.keys()) this.used.set(key, (this.used.get(key) ?? 0) + calls);
  }

  take(): { readonly isRefused: boolean; readonly headers: Record<string, string> } {
    this.spend(1);
    const usage = this.usage();
    const { overall, read } = this.limits;
    const isRefused = usage.some((used, nth) => used > Math.min(overall[nth] ?? 0, read[nth] ?? 0));
    if (isRefused) this.refused += 1;
    return {
      isRefused,
      headers: {
        'x-ratelimit-limit': overall.join(','),
        'x-ratelimit-usage': usage.join(','),
        'x-readratelimit-limit': read.join(','),
        'x-readratelimit-usage': usage.join(','),
      },
    };
  }

  usage(): number[] {
    return this.keys().map((key) => this.used.get(key) ?? 0);
  }

  private keys(): string[] {
    return windows.map((milliseconds) => `${milliseconds}:${Math.floor(this.now() / milliseconds)}`);
  }
}
