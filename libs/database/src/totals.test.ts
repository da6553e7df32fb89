import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Totals } from './totals.ts'

const LIMIT = 10
const scope = { merchantId: 'a merchant', isTest: false }
const FOUND = "FROM orders o WHERE o.status = 'cancelled'"

afterEach(() => {
  jest.restoreAllMocks()
})

/** Counts a list of so many rows, as Postgres would; answers the total, and whether anything was asked. */
function ask(
  totals: Totals,
  rows: number,
  { of = scope as Parameters<Totals['of']>[0], params = [] as unknown[] } = {},
) {
  const { statements, total } = totals.of(of, FOUND, params)
  const countedTo = Number(/LIMIT (\d+)/.exec(statements[0]?.text ?? '')?.[1])
  return {
    total: total(statements.length > 0 ? { total: Math.min(rows, countedTo) } : undefined),
    asked: statements.length,
  }
}

describe('a total', () => {
  test('is exact up to the limit, and counted each time', () => {
    const totals = new Totals(LIMIT)
    for (const rows of [0, 3, 9, 10]) expect(ask(totals, rows)).toEqual({ total: rows, asked: 1 })
  })

  test('of a list somewhat longer than the limit is the limit, and counted each time: it may shrink', () => {
    const totals = new Totals(LIMIT)
    expect([ask(totals, 19), ask(totals, 8)]).toEqual([
      { total: LIMIT, asked: 1 },
      { total: 8, asked: 1 },
    ])
  })

  test('of a list twice as long is the limit, and asks nothing for half a minute', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000)
    const totals = new Totals(LIMIT)
    expect(ask(totals, 1_000)).toEqual({ total: LIMIT, asked: 1 })
    expect(ask(totals, 1_000)).toEqual({ total: LIMIT, asked: 0 })
    now.mockReturnValue(31_001)
    expect(ask(totals, 4)).toEqual({ total: 4, asked: 1 })
    expect(ask(totals, 4)).toEqual({ total: 4, asked: 1 })
  })

  test('known of one list says nothing of another filter, environment or merchant', () => {
    const totals = new Totals(LIMIT)
    ask(totals, 1_000)
    expect(ask(totals, 2, { params: ['delivered'] })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: { ...scope, isTest: true } })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: { ...scope, merchantId: 'another' } })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: 'every tenant' })).toEqual({ total: 2, asked: 1 })
  })
})
