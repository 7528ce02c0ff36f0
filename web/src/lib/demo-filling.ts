const sign = 'demo-filling';

/** Whether `./caravan up` was filling the demo when this page was opened; the gateway says so in the page's answer. */
export const wasDemoFilling = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).serverTiming.some(({ name }) => name === sign));

/** Whether it still is. */
export async function isDemoFilling(signal: AbortSignal): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' }, signal });
  return answer.headers.get('server-timing')?.includes(sign) === true;
}
