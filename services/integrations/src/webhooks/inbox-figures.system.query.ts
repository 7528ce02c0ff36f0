import type { Rows } from '../rows/index.ts';

/** Figures of each platform that has delivered anything lately. */
export async function inboxFigures(rows: Rows, now: Date) {
  const tables = rows.ofEveryone().webhookNotice;
  const [open, all] = await Promise.all([
    tables.groupBy({ by: ['provider'], where: { handledAt: null }, _count: true, _min: { receivedAt: true } }),
    tables.groupBy({ by: ['provider'], _max: { receivedAt: true } }),
  ]);
  const secondsSince = (at: Date | null | undefined) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1_000) : 0);
  return all.map(({ provider, _max }) => {
    const waits = open.find((one) => one.provider === provider);
    return {
      provider,
      waiting: waits?._count ?? 0,
      oldestSeconds: secondsSince(waits?._min.receivedAt),
      newestSeconds: secondsSince(_max.receivedAt),
    };
  });
}
