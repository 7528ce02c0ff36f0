export type LogNews = { readonly is: 'removed' } | { readonly is: 'logged' | 'corrected'; readonly revision: number };

/** The newest of each log, however they were told: made and corrected is made; what was taken back stays away. */
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
