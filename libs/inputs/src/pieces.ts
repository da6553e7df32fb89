import * as z from 'zod'

/**
 * Text of a form. The length is judged first, and alone where it is too long: a pattern may take half a second over a text
 * of a megabyte. The bound is wide, so that of a text that is nearly right the form is what is wrong.
 */
export const formed = (form: z.core.$ZodCheck<string>, max = 64) => z.string().max(max, { abort: true }).check(form)

/** The same by a pattern. */
export const matching = (pattern: RegExp, message: string) => formed(z.regex(pattern, message))

/** An id of any version and variant: what Postgres takes for a uuid. */
export const uuid = formed(z.guid('must be a UUID')).meta({ example: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11' })

/** An id inside a message, in the one spelling that stored ids have. */
export const idField = uuid.toLowerCase()

/** A time with offset or Z. */
export const timestamp = formed(z.iso.datetime({ offset: true, error: 'must be ISO-8601 with offset or Z' })).meta({
  example: '2026-11-21T10:15:30.000Z',
})

/** Text of min to max characters. */
export const text = (max: number, min = 1) => z.string().min(min).max(max)

export const email = formed(z.email('must be an e-mail address'), 320)

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
