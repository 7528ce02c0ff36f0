import type { LiveTopic } from '@caravan/contracts/domain/live-topics';

/**
 * What the tabs of a browser show of what the stream can carry. It only grows while a stream lasts: what is no longer
 * shown is put in place all the same, so that going back needs no answer.
 */
export class TopicSubscriptions {
  private readonly byTab = new Map<string, readonly LiveTopic[]>();
  private readonly waiting = new Set<() => void>();

  /** True where this is news of the tab. */
  set(tab: string, topics: readonly LiveTopic[]): boolean {
    const known = this.byTab.get(tab) ?? [];
    const news = topics.filter((topic) => !known.includes(topic));
    this.byTab.set(tab, [...known, ...news]);
    for (const look of this.waiting) look();
    return news.length > 0;
  }

  topics(): LiveTopic[] {
    return [...new Set([...this.byTab.values()].flat())].toSorted();
  }

  /** Resolves as soon as there is more than that; never, once `signal` has aborted. */
  wider(than: readonly LiveTopic[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.topics().every((topic) => than.includes(topic))) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      signal.addEventListener('abort', () => this.waiting.delete(look));
      look();
    });
  }
}
