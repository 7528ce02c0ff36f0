// Stands in for a decoder that never comes back: it hears no signal but the one that cannot be heard.
process.on('SIGTERM', () => undefined);
process.once('message', () => {
  for (;;);
});
