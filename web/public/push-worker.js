// Shows what is pushed and opens where it leads (ADR 0049). It keeps nothing and
// answers no requests: the app is loaded as without it.

const inside = (link) => {
  const url = new URL(typeof link === 'string' ? link : '/', globalThis.location.origin);
  return url.origin === globalThis.location.origin ? url.href : globalThis.location.origin;
};

globalThis.addEventListener('push', (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Browsers want to see a notification for every push.
  }
  const { id = 'caravan', text = 'Something is new.', link = '/' } = told;
  // The same notice again takes the place of the first, without a sound.
  const notification = { body: text, tag: id, icon: '/mark.svg', data: { link } };
  event.waitUntil(globalThis.registration.showNotification('Caravan', notification));
});

globalThis.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = inside(event.notification.data?.link);
  const open = async () => {
    const [page] = await globalThis.clients.matchAll({ type: 'window', includeUncontrolled: true });
    if (!page) return globalThis.clients.openWindow(address);
    // Where a window cannot come to the front, it is led there all the same.
    await page.focus().catch(() => undefined);
    // A page that this worker does not control cannot be led anywhere: a new one can.
    return page.navigate(address).catch(() => globalThis.clients.openWindow(address));
  };
  event.waitUntil(open());
});
