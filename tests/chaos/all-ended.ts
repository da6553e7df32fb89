/**
 * What all of them answer, or the first failure: but not before the others have ended too. Whoever goes on asking a mesh
 * that has been stopped asks forever, and whoever goes on killing its servers starts them again.
 */
export async function allEnded<const T extends readonly unknown[]>(
  under: { [Index in keyof T]: Promise<T[Index]> },
): Promise<{ -readonly [Index in keyof T]: T[Index] }> {
  await Promise.allSettled(under)
  return (await Promise.all(under)) as { -readonly [Index in keyof T]: T[Index] }
}
