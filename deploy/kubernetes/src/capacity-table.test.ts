import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { capacityTable, orderMs } from './capacity-table.ts'

const root = join(import.meta.dirname, '../../..')

test('the table of docs/deploy/capacity.md is what the measurements give', () => {
  expect(readFileSync(join(root, 'docs/deploy/capacity.md'), 'utf8')).toContain(capacityTable())
})

test('what an order takes grows with each of its parts, and nobody is forgotten', () => {
  expect(orderMs('gateway')).toBeCloseTo(4 * 0.48 + 10 * 0.24)
  expect(orderMs('webhook')).toBeCloseTo(4 * 0.19 + 7 * 0.2)
  expect(orderMs('ingestion')).toBe(0)
})
