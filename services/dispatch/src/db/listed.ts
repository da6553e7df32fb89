import { boundedCount } from '@svc/database'
import type { Page } from '@svc/inputs'
import { rowOf, rowsOf, type Source } from './rows.ts'

export interface Listed<Row> {
  items: Row[]
  total: number
}

interface Listing {
  columns: string
  from: string
  /** Conditions with `?` for their value; those whose value is undefined do not count. */
  where: Readonly<Record<string, unknown>>
  orderBy: string
  page: Page
}

/** One page of rows and the number of all. */
export async function listed<Row extends object>(
  source: Source,
  { columns, from, where, orderBy, page }: Listing,
): Promise<Listed<Row>> {
  const given = Object.entries(where).filter(([, value]) => value !== undefined)
  const conditions = given.map(([text], index) => text.replace('?', `$${index + 1}`))
  const values = given.map(([, value]) => value)
  const filter = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const counted = await rowOf<{ total: number }>(source, boundedCount(`${from} ${filter}`), values)
  const items = await rowsOf<Row>(
    source,
    `SELECT ${columns} FROM ${from} ${filter} ORDER BY ${orderBy}
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, page.limit, page.offset],
  )
  return { items, total: counted!.total }
}
