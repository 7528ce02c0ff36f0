/** Throws what the first one threw, once nothing is under way any more: a transaction ends with it. */
export async function allSettled<Result>(ends: readonly Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(ends);
  return settled.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
