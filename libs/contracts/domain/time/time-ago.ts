const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const;

/** English, for clients that show it as it is (3.26, 3.43). */
export function timeAgo(then: Date, now: Date): string {
  const seconds = (now.getTime() - then.getTime()) / 1_000;
  const unit = units.find((candidate) => seconds >= candidate.seconds);
  if (!unit) return 'just now';
  const count = Math.floor(seconds / unit.seconds);
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`;
}
