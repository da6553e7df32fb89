import * as z from 'zod'
import { matching } from './pieces.ts'

// What a query holds is text. The shapes that openapi.json shows are those of the values.

/** Spelt `true`, `1`, `false` or `0` in a query. */
export const booleanWord = z
  .enum(['true', '1', 'false', '0'])
  .transform((word) => word === 'true' || word === '1')
  .meta({ override: { type: 'boolean', enum: undefined } })

const wholeNumber = matching(/^-?\d+$/, 'must be a whole number')

const MAX_OFFSET = 2 ** 31 - 1

/** A whole number from 1 on. One above the maximum is lowered to it, and the effective one is echoed. */
export const upTo = (max: number, standard: number) =>
  wholeNumber
    .transform((digits) => Math.min(Number(digits), max))
    .pipe(z.int().min(1))
    .default(standard)
    .meta({
      override: {
        type: 'integer',
        minimum: 1,
        maximum: max,
        default: standard,
        pattern: undefined,
        maxLength: undefined,
      },
    })

/** `limit` and `offset` of a list, in a query. */
export const paging = (max = 200, standard = 50) => ({
  limit: upTo(max, standard),
  offset: wholeNumber
    .transform((digits) => Math.min(Number(digits), MAX_OFFSET))
    .pipe(z.int().min(0))
    .default(0)
    .meta({ override: { type: 'integer', minimum: 0, default: 0, pattern: undefined, maxLength: undefined } }),
})
