import type { Body, Document, Operation, Parameter, Schema } from './openapi-baseline.ts'

/** Which way a value goes: callers send what is taken, and rely on what is sent. */
type Way = 'taken' | 'sent'

/** What clients of the baseline would be broken by, one line each. */
export function breakingChanges(baseline: Document, now: Document): string[] {
  const compare = comparison(baseline, now)
  const operations = Object.entries(baseline.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`
      const fresh = now.paths[path]?.[method]
      return fresh ? operationChanges(old, fresh, name, compare) : [`${name} is gone`]
    }),
  )
  const events = Object.entries(baseline.webhooks).flatMap(([event, { post: old }]) => {
    const fresh = now.webhooks[event]?.post
    if (!fresh) return [`webhook ${event} is gone`]
    return bodyChanges(old.requestBody, fresh.requestBody, `webhook ${event}`, 'sent', compare)
  })
  return [...operations, ...events]
}

type Compare = (old: Schema, fresh: Schema, where: string, way: Way) => string[]

function operationChanges(old: Operation, fresh: Operation, name: string, compare: Compare): string[] {
  const idOf = (one: Parameter) => `${one.in}.${one.name}`
  const parameters = new Map(fresh.parameters?.map((one) => [idOf(one), one]))
  const known = new Map(old.parameters?.map((one) => [idOf(one), one]))
  const kept = [...known].flatMap(([id, one]) => {
    const present = parameters.get(id)
    return present ? compare(one.schema, present.schema, `${name} ${id}`, 'taken') : [`${name} ${id} is gone`]
  })
  const demanded = [...parameters]
    .filter(([id, { required }]) => required && !known.get(id)?.required)
    .map(([id]) => `${name} ${id} is required, which it was not`)
  const replies = Object.entries(old.responses).flatMap(([status, reply]) => {
    const present = fresh.responses[status]
    return present ? bodyChanges(reply, present, `${name} ${status}`, 'sent', compare) : [`${name} ${status} is gone`]
  })
  return [
    ...kept,
    ...demanded,
    ...bodyChanges(old.requestBody, fresh.requestBody, `${name} body`, 'taken', compare),
    ...replies,
  ]
}

function bodyChanges(
  old: Body | undefined,
  fresh: Body | undefined,
  where: string,
  way: Way,
  compare: Compare,
): string[] {
  if (way === 'taken' && fresh?.required && !old?.required) return [`${where} is required, which it was not`]
  return Object.entries(old?.content ?? {}).flatMap(([type, { schema }]) => {
    const present = fresh?.content?.[type]
    return present ? compare(schema, present.schema, where, way) : [`${where} is no ${type} any more`]
  })
}

/** Compares two schemas, each with the references of its own document. */
function comparison(baseline: Document, now: Document): Compare {
  const formsOf = [formsIn(baseline), formsIn(now)] as const
  const under = new Map<Schema, Set<Schema>>()
  const compare: Compare = (old, fresh, where, way) => anyChanges(formsOf[0](old), formsOf[1](fresh), where, way)

  /** A schema inside itself is being looked at already. */
  function ownChanges(old: Schema, fresh: Schema, where: string, way: Way): string[] {
    const others = under.get(old) ?? new Set()
    if (others.has(fresh)) return []
    under.set(old, others.add(fresh))
    const changes = changesOf(old, fresh, where, way)
    others.delete(fresh)
    return changes
  }

  /** Taken: each of the old forms is taken by one of the new ones. Sent: each of the new ones is one of the old. */
  function anyChanges(olds: readonly Schema[], news: readonly Schema[], where: string, way: Way): string[] {
    const [asked, offered] = way === 'taken' ? [olds, news] : [news, olds]
    return asked.flatMap((one) => {
      const changes = offered
        .filter((other) => isOfKind(one, other))
        .map((other) => (way === 'taken' ? ownChanges(one, other, where, way) : ownChanges(other, one, where, way)))
      const [closest] = changes.toSorted((a, b) => a.length - b.length)
      return closest ?? [`${where} is ${way === 'taken' ? `no ${kindOf(one)} any more` : `also ${kindOf(one)} now`}`]
    })
  }

  function changesOf(old: Schema, fresh: Schema, where: string, way: Way): string[] {
    const { properties: olds = {}, required: demanded = [] } = old
    const { properties: news = {}, required = [] } = fresh
    const fields = Object.entries(olds).flatMap(([key, field]) => {
      const present = news[key]
      return present ? compare(field, present, `${where}.${key}`, way) : [`${where}.${key} is gone`]
    })
    const [more, less, words] =
      way === 'taken'
        ? [required, demanded, 'is required, which it was not']
        : [demanded.filter((key) => news[key]), required, 'may be missing, which it never was']
    const needed = more.filter((key) => !less.includes(key)).map((key) => `${where}.${key} ${words}`)
    const elements = old.items && fresh.items ? compare(old.items, fresh.items, `${where}[]`, way) : []
    const values = [old.additionalProperties, fresh.additionalProperties]
    const [before, after] = values.map((value) => (typeof value === 'object' ? value : undefined))
    const named = before && after ? compare(before, after, `${where}.*`, way) : []
    return [...fields, ...needed, ...elements, ...named, ...valueChanges(old, fresh, where, way)]
  }
  return compare
}

/** A value by itself: words that are gone; of what is taken, bounds and forms that leave less than before. */
function valueChanges(old: Schema, fresh: Schema, where: string, way: Way): string[] {
  const gone = fresh.enum ? (old.enum ?? []).filter((word) => !fresh.enum?.includes(word)) : []
  const changes = gone.map((word) => `${where} is never ${JSON.stringify(word)} any more`)
  if (way === 'sent') return changes
  if (fresh.enum && !old.enum) changes.push(`${where} is one of a few words, which it was not`)
  if (fresh.additionalProperties === false && old.additionalProperties !== false)
    changes.push(`${where} refuses fields that it does not know, which it did not`)
  for (const name of ['pattern', 'format', 'propertyNames'] as const)
    if (fresh[name] !== undefined && JSON.stringify(fresh[name]) !== JSON.stringify(old[name]))
      changes.push(`${where} has another ${name}`)
  const narrower = [
    ...LEAST.filter((name) => (fresh[name] ?? Number.NEGATIVE_INFINITY) > (old[name] ?? Number.NEGATIVE_INFINITY)),
    ...MOST.filter((name) => (fresh[name] ?? Number.POSITIVE_INFINITY) < (old[name] ?? Number.POSITIVE_INFINITY)),
  ]
  return [...changes, ...narrower.map((name) => `${where} has a narrower ${name}`)]
}

const LEAST = ['minimum', 'minLength', 'minItems'] as const
const MOST = ['maximum', 'maxLength', 'maxItems'] as const

/** The forms of a value: of a union each of them, of a list of types one each, a constant as a list of one word. */
function formsIn({ components }: Document): (schema: Schema) => readonly Schema[] {
  const known = new Map<Schema, readonly Schema[]>()
  const read = ({ $ref, anyOf, const: only, ...one }: Schema): readonly Schema[] => {
    if ($ref !== undefined) return formsOf(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    if (anyOf) return anyOf.flatMap(formsOf)
    const types = Array.isArray(one.type) ? (one.type as readonly string[]) : [one.type as string | undefined]
    return types.map((type) => ({
      ...one,
      ...(type !== undefined && { type }),
      ...(only !== undefined && { enum: [only] }),
    }))
  }
  const formsOf = (schema: Schema): readonly Schema[] => {
    const forms = known.get(schema) ?? read(schema)
    known.set(schema, forms)
    return forms
  }
  return formsOf
}

const kindOf = ({ type }: Schema): string => (type === undefined ? 'anything' : String(type))

/** Whether the one may be a narrower form of the other. */
const isOfKind = ({ type }: Schema, other: Schema): boolean =>
  other.type === undefined || type === other.type || (type === 'integer' && other.type === 'number')
