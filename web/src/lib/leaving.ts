const leavingMilliseconds = 20_000;
let leftAt = -Infinity;
let onStay = Promise.withResolvers<undefined>();

addEventListener('beforeunload', () => {
  leftAt = performance.now();
});
addEventListener('pageshow', () => {
  leftAt = -Infinity;
  onStay.resolve(undefined);
  onStay = Promise.withResolvers();
});

/**
 * Whether a navigation to another page has begun, which aborts what this one still loads. A navigation that became a
 * download leaves the page where it is.
 */
export const isLeaving = (): boolean => performance.now() - leftAt < leavingMilliseconds;

/** Resolves when the page that was being left is shown again, or has not been left after all. */
export async function untilStaying(): Promise<void> {
  while (isLeaving()) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), leftAt + leavingMilliseconds - performance.now());
    await Promise.race([promise, onStay.promise]);
    clearTimeout(timer);
  }
}
