import * as z from 'zod'

// Any version and variant: what Postgres takes for a uuid.
export const uuid = z.guid('must be a UUID').meta({ example: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11' })

export const timestamp = z.iso
  .datetime({ offset: true, error: 'must be ISO-8601 with offset or Z' })
  .meta({ example: '2026-11-21T10:15:30.000Z' })

export const text = (max: number, min = 1) => z.string().min(min).max(max)

/** Spelt `true`, `1`, `false` or `0` in a query. */
export const booleanWord = z
  .enum(['true', '1', 'false', '0'])
  .transform((word) => word === 'true' || word === '1')
  .meta({ override: { type: 'boolean', enum: undefined } })

const wholeNumber = z.string().regex(/^-?\d+$/, 'must be a whole number')

const MAX_OFFSET = 2 ** 31 - 1

/** A whole number from 1 on. One above the maximum is lowered to it, and the effective one is echoed. */
export const upTo = (max: number, standard: number) =>
  wholeNumber
    .transform((digits) => Math.min(Number(digits), max))
    .pipe(z.int().min(1))
    .default(standard)
    .meta({ override: { type: 'integer', minimum: 1, maximum: max, default: standard, pattern: undefined } })

/** `limit` and `offset` of a list. */
export const paging = (max = 200, standard = 50) => ({
  limit: upTo(max, standard),
  offset: wholeNumber
    .transform((digits) => Math.min(Number(digits), MAX_OFFSET))
    .pipe(z.int().min(0))
    .default(0)
    .meta({ override: { type: 'integer', minimum: 0, default: 0, pattern: undefined } }),
})

/** The reply of a list. */
export const page = <K extends string, T extends z.ZodType>(name: K, item: T) =>
  z.strictObject({
    [name]: z.array(item),
    total: z.int().min(0),
    limit: z.int().min(1),
    offset: z.int().min(0),
  } as { [key in K]: z.ZodArray<T> } & { total: z.ZodInt; limit: z.ZodInt; offset: z.ZodInt })

export const ok = z.strictObject({ ok: z.literal(true) })

export const email = z.email('must be an e-mail address').max(320)

/** Refuses an object in which no field is set; the first of its fields is the one that is named. */
export const atLeastOne = <S extends z.ZodObject>(schema: S) =>
  schema.superRefine((value, ctx) => {
    if (Object.values(value).some((field) => field !== undefined)) return
    const fields = Object.keys(schema.shape)
    ctx.addIssue({
      code: 'custom',
      path: fields.slice(0, 1),
      message: `At least one of these is required: ${fields.join(', ')}.`,
      params: { rule: 'required' },
    })
  })

/** Names the fields that are null, in the request's words for `clear_fields`. */
export const nulls = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(fields).filter((name) => fields[name] === null)

export const VEHICLES = ['motorcycle', 'car', 'van', 'truck'] as const
export const vehicle = z.enum(VEHICLES)

export const minor = z.int().min(0).meta({ description: 'Minor currency units' })

/** An amount that is asked for: the service knows its bounds, and its refusal names them. */
export const askedMinor = z.int().meta({ description: 'Minor currency units' })
