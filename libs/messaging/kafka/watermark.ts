import type { LogPosition } from '@caravan/contracts/events/log-position';

/**
 * What a relay says with each message of a shard of its log: every fact of the shard at or below this position was on the
 * topic before, or will never be. So whatever comes at or below it later comes for a second time (design/delivery.md).
 */
export type Watermark = LogPosition & { readonly shard: number };

export const watermarkHeader = 'watermark';

export const formatWatermark = ({ shard, epoch, position }: Watermark): string => `${shard}:${position}@${epoch}`;

const written = /^(\d{1,5}):(\d{1,15})@(\d{1,15})$/;

export function watermarkOf(headers: Readonly<Record<string, string>>): Watermark | undefined {
  const [, shard, position, epoch] = written.exec(headers[watermarkHeader] ?? '') ?? [];
  if (shard === undefined) return undefined;
  return { shard: Number(shard), position: Number(position), epoch: Number(epoch) };
}
