import { RawJson } from '@svc/exact-json'
import * as z from 'zod'

type OrNull<S extends z.ZodType> = z.ZodType<z.output<S> | null, z.input<S> | null | undefined> & {
  _zod: { optin: 'optional' }
}

/** What a message may leave out and the body always has: null in its absence. */
export const orNull = <S extends z.ZodType>(schema: S): OrNull<S> =>
  // No default: that would make the field optional where the body stands in openapi.json as a request.
  z.preprocess((value) => value ?? null, schema.nullable()) as unknown as OrNull<S>

/** What is sent as `sent` says and stands in openapi.json as `shape`, so that a component of requests is named in replies. */
export const shownAs = <S extends z.ZodType>(sent: S, shape: z.ZodType): z.ZodType<z.output<S>, z.input<S>> =>
  z.union([sent, shape]).meta({
    override({ jsonSchema }) {
      const shown = jsonSchema.anyOf?.[1]
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, shown)
    },
  }) as never

const raw = z.instanceof(RawJson).meta({ override: { type: 'object' } })

/** JSON text that is sent as it is, unread; openapi.json shows it as `shape`. */
export const rawJson = (shape: z.ZodType): z.ZodType<RawJson, string> =>
  z.preprocess((text) => new RawJson(text as string), shownAs(raw, shape)) as never

/** An id that we send. */
export const id = z.string().meta({ format: 'uuid', example: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11' })

/**
 * A time that we send. A message that always has one is typed as if it might not, as all that is a message of its own in
 * proto: so is this, and a body without its time is refused when it is sent.
 */
export const instant: z.ZodType<string, string | undefined> = z
  .string()
  .meta({ format: 'date-time', example: '2026-11-21T10:15:30.000Z' })

/** A whole number that we send. */
export const whole = z.number().meta({ override: { type: 'integer' } })

/** An amount that we send. */
export const minor = whole.meta({ description: 'Minor currency units' })

/** One of these words, as far as the contract goes: another one is sent too. */
export const words = <const W extends readonly string[]>(...all: W) => z.string().meta({ enum: [...all] })

/** The fields, where each is one of the message: the key of an `orNull` may be absent, so a misspelt one would always be null. */
export const fieldsOf =
  <M>() =>
  <F extends { [K in keyof F]: K extends keyof M ? z.ZodType : never }>(fields: F): F =>
    fields

/** The message inside a reply. Without it the service broke its contract, which is a fault of ours. */
export function required<T>(message: T | undefined): T {
  if (message === undefined) throw new Error('a reply came without its message')
  return message
}

/** The reply of a list. */
export const page = <K extends string, T extends z.ZodType>(name: K, item: T) =>
  z.object({ [name]: z.array(item), total: whole, limit: whole, offset: whole } as {
    [key in K]: z.ZodArray<T>
  } & { total: typeof whole; limit: typeof whole; offset: typeof whole })

export const ok = z.object({ ok: z.literal(true) })
