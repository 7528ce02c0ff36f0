// Stands in for a decoder on a machine that has no processor for it.
const milliseconds = 1_500;
process.once('message', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  process.send?.({ pictures: [] });
});
