import type { Database } from '@svc/database'
import fc from 'fast-check'
import pg from 'pg'

const RUNS = Number(process.env['TOTALS_RUNS'] ?? 40)
const SESSIONS = 3

/** Rows that a list counts, in the hands of sessions of the worker role. */
export interface CountedRows<Change> {
  /** One more, which comes now. */
  add(session: pg.Client): Promise<unknown>
  /** Something becomes of one of the first rows. Absent where rows are added and nothing else. */
  change?(session: pg.Client, row: number, change: Change): Promise<unknown>
  /** Lists, by one filter or by each, and compares with what is there row by row. */
  look(filter?: number): Promise<void>
}

interface Listed<Change> {
  workerUrl: string
  /** Makes the first rows of a run, of all ages, apart from those of the runs before. */
  begin(session: pg.Client): Promise<CountedRows<Change>>
  /** How many the first are, and what may become of one. */
  rows?: number
  changes?: fc.Arbitrary<Change>
}

const END = { commit: 'COMMIT', 'roll back': 'ROLLBACK' } as const

/**
 * Holds a list to what is there, whatever a few sessions do to its rows in whatever order, and look at in between: with
 * transactions that are open beside each other, come to an end late, or are undone in part or as a whole.
 */
export async function whateverSessionsDo<Change = never>(listed: Listed<Change>): Promise<void> {
  const sessions = Array.from({ length: SESSIONS }, () => new pg.Client({ connectionString: listed.workerUrl }))
  try {
    for (const session of sessions) await session.connect()
    await fc.assert(
      fc.asyncProperty(fc.array(actOf(listed), { minLength: 15, maxLength: 60 }), async (acts) => {
        const rows = await listed.begin(sessions[0]!)
        try {
          await play(acts, rows, sessions)
          await rows.look()
        } finally {
          for (const session of sessions) await session.query('ROLLBACK')
        }
      }),
      { numRuns: RUNS },
    )
  } finally {
    for (const session of sessions) await session.end()
  }
}

type Act<Change> =
  | { do: 'change'; at: number; row: number; change: Change }
  | { do: 'add' | 'begin' | 'save' | 'undo' | keyof typeof END; at: number }
  | { do: 'look'; filter: number }

function actOf<Change>({ rows = 0, changes }: Listed<Change>): fc.Arbitrary<Act<Change>> {
  const at = fc.nat({ max: SESSIONS - 1 })
  const step = fc.constantFrom(
    'begin' as const,
    'commit' as const,
    'roll back' as const,
    'save' as const,
    'undo' as const,
  )
  const acts: Array<fc.WeightedArbitrary<Act<Change>>> = [
    { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), at }) },
    { weight: 2, arbitrary: fc.record({ do: step, at }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), filter: fc.nat() }) },
  ]
  if (changes)
    acts.push({
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('change' as const), at, row: fc.nat({ max: rows - 1 }), change: changes }),
    })
  return fc.oneof(...acts)
}

async function play<Change>(
  acts: ReadonlyArray<Act<Change>>,
  rows: CountedRows<Change>,
  sessions: readonly pg.Client[],
): Promise<void> {
  const open = new Set<number>()
  const saved = new Set<number>()
  /** By which session a row is held. */
  const held = new Map<number, number>()
  for (const act of acts) {
    if (act.do === 'look') {
      await rows.look(act.filter)
      continue
    }
    const { at } = act
    const session = sessions[at]!
    if (act.do === 'add') await rows.add(session)
    else if (act.do === 'change') {
      // A row that another transaction holds would be waited for.
      if ((held.get(act.row) ?? at) !== at) continue
      await rows.change?.(session, act.row, act.change)
      if (open.has(at)) held.set(act.row, at)
    } else if (act.do === 'begin') {
      if (!open.has(at)) await session.query('BEGIN')
      open.add(at)
    } else if (act.do === 'save') {
      if (open.has(at)) await session.query('SAVEPOINT here')
      if (open.has(at)) saved.add(at)
    } else if (act.do === 'undo') {
      if (saved.has(at)) await session.query('ROLLBACK TO here')
    } else if (open.delete(at)) {
      await session.query(END[act.do])
      saved.delete(at)
      for (const [row, by] of held) if (by === at) held.delete(row)
    }
  }
}

type ReadsOf = Pick<Database, 'read' | 'readFew'>

/** The same reads, and how many rows each count of a settled list has read by them. */
export function countedReads({ read, readFew }: ReadsOf): ReadsOf & { counts: number[] } {
  const counts: number[] = []
  const noting =
    (ask: ReadsOf['read']): ReadsOf['read'] =>
    async (...asked) => {
      const answers = await ask(...asked)
      for (const [row] of answers) if (row && 'since' in row) counts.push(Number(row.since))
      return answers
    }
  return { read: noting(read), readFew: noting(readFew), counts }
}
