/** What became of a log, as it is told; revision 1 is the log as it was made. */
export type LogNews = { readonly is: 'removed' } | { readonly is: 'logged' | 'corrected'; readonly revision: number };

/**
 * What is left of a batch of news: of each log the newest, however often and in whatever order they were told. A log that
 * is made and corrected in one batch is one that is made; one that was taken back stays away.
 */
export function newestOf<News extends LogNews>(all: readonly News[], idOf: (news: News) => string): News[] {
  const newest = new Map<string, News>();
  for (const news of all) {
    const known = newest.get(idOf(news));
    newest.set(idOf(news), known ? newerOf(known, news) : news);
  }
  return [...newest.values()];
}

function newerOf<News extends LogNews>(known: News, news: News): News {
  if (known.is === 'removed') return known;
  if (news.is === 'removed') return news;
  const newer = news.revision > known.revision ? news : known;
  return known.is === 'logged' || news.is === 'logged' ? { ...newer, is: 'logged' } : newer;
}
