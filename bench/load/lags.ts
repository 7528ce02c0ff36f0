export type Lags = Readonly<Record<string, number>>;

const lag = /^caravan_consumer_lag_messages\{(?=[^}]*group="([^"]+)")[^}]*\} (\d+)/gm;
const outbox = /^caravan_outbox_rows(?:\{[^}]*\})? (\d+)/m;

/** Of every consumer group of a service, and of what it has not told yet. */
export function lagsIn(service: string, figures: string): Lags {
  const lags: Record<string, number> = {};
  for (const [, group = '', messages] of figures.matchAll(lag)) lags[group] = (lags[group] ?? 0) + Number(messages);
  const [, rows] = outbox.exec(figures) ?? [];
  if (rows !== undefined) lags[`${service} outbox`] = Number(rows);
  return lags;
}

export function highestLags(looks: readonly Lags[]): Lags {
  const highest: Record<string, number> = {};
  for (const look of looks)
    for (const [group, messages] of Object.entries(look)) highest[group] = Math.max(highest[group] ?? 0, messages);
  return highest;
}
