import * as z from 'zod'

/** The reply of a list. */
export const page = <K extends string, T extends z.ZodType>(name: K, item: T) =>
  z.strictObject({
    [name]: z.array(item),
    total: z.int().min(0),
    limit: z.int().min(1),
    offset: z.int().min(0),
  } as { [key in K]: z.ZodArray<T> } & { total: z.ZodInt; limit: z.ZodInt; offset: z.ZodInt })

export const ok = z.strictObject({ ok: z.literal(true) })

/** Names the fields that are null, in the request's words for `clear_fields`. */
export const nulls = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(fields).filter((name) => fields[name] === null)

export const VEHICLES = ['motorcycle', 'car', 'van', 'truck'] as const
export const vehicle = z.enum(VEHICLES)

export const minor = z.int().min(0).meta({ description: 'Minor currency units' })

/** An amount that is asked for: the service knows its bounds, and its refusal names them. */
export const askedMinor = z.int().meta({ description: 'Minor currency units' })
