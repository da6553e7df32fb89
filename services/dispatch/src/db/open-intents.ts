import { rowsOf, type Source } from './rows.ts'

/** Of these kinds of calls about the subject those that have not been answered, the oldest first. */
export async function openIntentKinds(source: Source, subjectId: string, kinds: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ kind: string }>(
    source,
    `SELECT kind FROM intent WHERE subject_id = $1 AND kind = ANY($2) AND state IN ('pending', 'aborting')
      ORDER BY created_at, kind`,
    [subjectId, kinds],
  )
  return rows.map(({ kind }) => kind)
}
