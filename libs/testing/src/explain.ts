import type pg from 'pg'

type Session = Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>

/** How a statement was carried out. */
export interface CarriedOut {
  statement: string
  /** Pages of tables and indexes that it read, each as often as it did. */
  blocks: number
  /** Its steps, a line each: expected and found rows by loop, blocks, and what was looked for. */
  plan: string[]
}

interface Step {
  'Node Type': string
  'Subplan Name'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Plan Rows': number
  'Actual Rows': number
  'Actual Loops': number
  'Heap Fetches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Step[]
}

/** Carries a statement out, and says how. */
export async function explain(session: Session, text: string, values: readonly unknown[] = []): Promise<CarriedOut> {
  const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  )
  const { Plan } = rows[0]!['QUERY PLAN'][0]
  return { statement: text.replaceAll(/\s+/g, ' ').trim(), blocks: blocksOf(Plan), plan: [...linesOf(Plan)] }
}

/** A session whose statements are carried out twice: how is noted the first time. */
export function explaining(session: Session) {
  const carriedOut: CarriedOut[] = []
  return {
    carriedOut,
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) => {
      carriedOut.push(await explain(session, text, values))
      const { rows, rowCount } = await session.query<Row & pg.QueryResultRow>(text, [...values])
      return { rows: rows as Row[], rowCount: rowCount ?? 0 }
    },
  }
}

const blocksOf = (step: Step): number => step['Shared Hit Blocks'] + step['Shared Read Blocks']

function* linesOf(step: Step, depth = 0): Generator<string> {
  const what = ['Subplan Name', 'Node Type', 'Relation Name', 'Index Name'] as const
  const rows = `rows ${step['Plan Rows']}, ${step['Actual Rows']} × ${step['Actual Loops']}`
  const heap = step['Heap Fetches'] === undefined ? [] : [`${step['Heap Fetches']} of the heap`]
  const read = [rows, `${blocksOf(step)} blocks`, ...heap].join('; ')
  const words = [...what.map((name) => step[name]), `(${read})`, step['Index Cond'], step.Filter]
  yield '  '.repeat(depth) + words.filter((word) => word !== undefined).join(' ')
  for (const inner of step.Plans ?? []) yield* linesOf(inner, depth + 1)
}
