export async function runTimed<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await work();
  process.stdout.write(`  ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${what}\n`);
  return answer;
}
