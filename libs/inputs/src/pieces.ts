import * as z from 'zod'

/** An id of any version and variant: what Postgres takes for a uuid. */
export const uuid = z.guid('must be a UUID').meta({ example: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11' })

/** An id inside a message, in the one spelling that stored ids have. */
export const idField = uuid.toLowerCase()

/** A time with offset or Z. */
export const timestamp = z.iso
  .datetime({ offset: true, error: 'must be ISO-8601 with offset or Z' })
  .meta({ example: '2026-11-21T10:15:30.000Z' })

/** Text of min to max characters. */
export const text = (max: number, min = 1) => z.string().min(min).max(max)

export const email = z.email('must be an e-mail address').max(320)

/** An amount; which ones make sense is judged where it is used. */
export const amountMinor = z.int().min(0).meta({ description: 'Minor currency units' })

/** A field that may be absent or null, which mean the same: it is undefined to the handler. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

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
