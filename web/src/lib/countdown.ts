const minuteMilliseconds = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/**
 * '2d 3h', '3h 12m', '12m' until a ballot ends; null once it has (4.35, D44). The last minute reads as one.
 * @param now milliseconds since 1970
 */
export function countdownTo(endsAt: string, now: number): string | null {
  const left = Date.parse(endsAt) - now;
  // No instant, no end.
  if (!(left > 0)) return Number.isNaN(left) ? '--' : null;
  const minutes = Math.max(1, Math.floor(left / minuteMilliseconds));
  if (minutes >= dayMinutes)
    return `${Math.floor(minutes / dayMinutes)}d ${Math.floor((minutes % dayMinutes) / hourMinutes)}h`;
  if (minutes >= hourMinutes) return `${Math.floor(minutes / hourMinutes)}h ${minutes % hourMinutes}m`;
  return `${minutes}m`;
}
