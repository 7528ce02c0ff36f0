// Exit code 0: this container's process is ready.
const { PORT } = process.env;
const answer = await fetch(`http://127.0.0.1:${PORT}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
  () => undefined,
);
process.exit(answer?.ok === true ? 0 : 1);
