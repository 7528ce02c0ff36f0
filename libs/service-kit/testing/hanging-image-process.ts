// Stands in for a decoder that never comes back: it uses no processor time and hears no signal but the one that cannot be
// heard.
process.on('SIGTERM', () => undefined);
process.once('message', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
