// Stands in for a decoder that a picture keeps busy for ever.
process.once('message', () => {
  for (;;);
});
