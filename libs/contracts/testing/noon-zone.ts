/** A zone in which it is about noon: an hour ago was today there, and this week, whenever a test runs. */
export function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
