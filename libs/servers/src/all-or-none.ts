type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/** All results, once every start has settled; when one failed, `undo` runs before its error is thrown. */
export async function allOrNone<const T extends readonly unknown[]>(
  starts: T,
  undo: () => Promise<void>,
): Promise<Settled<T>> {
  const settled = await Promise.allSettled(starts)
  const failure = settled.find((result) => result.status === 'rejected')
  if (failure) {
    await undo()
    throw failure.reason
  }
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as Settled<T>
}
