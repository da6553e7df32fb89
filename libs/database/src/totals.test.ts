import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Totals } from './totals.ts'

const LIMIT = 1_000
const scope = { merchantId: 'a merchant', isTest: false }
const FOUND = "orders o WHERE o.status = 'cancelled'"

afterEach(() => {
  jest.restoreAllMocks()
})

/** Counts a list of so many rows, as Postgres would; answers the total, and whether anything was asked. */
function ask(
  totals: Totals,
  rows: number,
  { of = scope as Parameters<Totals['of']>[0], params = [] as unknown[] } = {},
) {
  const counting = totals.of(of, FOUND, params)
  const [statement] = counting.statements
  const countedTo = Number(/LIMIT (\d+)/.exec(statement?.text ?? '')?.[1])
  return {
    total: counting.total(statement && { total: Math.min(rows, countedTo) }),
    asked: counting.statements.length,
  }
}

describe('a total', () => {
  test('is exact up to the limit, and counted each time', () => {
    const totals = new Totals(LIMIT)
    for (const rows of [0, 3, 999, 1_000]) expect(ask(totals, rows)).toEqual({ total: rows, asked: 1 })
  })

  test('of a longer list is the limit, and asks nothing before it can have come below', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000)
    const totals = new Totals(30_000)
    const askAt = (ms: number, rows: number) => {
      now.mockReturnValue(ms)
      return ask(totals, rows)
    }
    expect(askAt(0, 30_300)).toEqual({ total: 30_000, asked: 1 })
    expect([askAt(99, 0), askAt(100, 29_999)]).toEqual([
      { total: 30_000, asked: 0 },
      { total: 29_999, asked: 1 },
    ])
    expect(askAt(1_000, 1_000_000)).toEqual({ total: 30_000, asked: 1 })
    expect([askAt(10_999, 0), askAt(11_000, 4), askAt(11_001, 5)]).toEqual([
      { total: 30_000, asked: 0 },
      { total: 4, asked: 1 },
      { total: 5, asked: 1 },
    ])
  })

  test('known of one list says nothing of another filter, environment or merchant', () => {
    const totals = new Totals(LIMIT)
    ask(totals, 1_000_000)
    expect(ask(totals, 2, { params: ['delivered'] })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: { ...scope, isTest: true } })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: { ...scope, merchantId: 'another' } })).toEqual({ total: 2, asked: 1 })
    expect(ask(totals, 2, { of: 'every tenant' })).toEqual({ total: 2, asked: 1 })
  })
})
