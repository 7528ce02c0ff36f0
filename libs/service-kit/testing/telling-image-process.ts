// Answers with what a decoder could tell of the service that started it.
process.once('message', () => {
  const told = { names: Object.keys(process.env), pid: process.pid };
  process.send?.({ pictures: [{ bytes: Buffer.from(JSON.stringify(told)), width: 1, height: 1 }] });
});
