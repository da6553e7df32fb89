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
    const name = `webhook ${event}`
    return [
      ...parameterChanges(old, fresh, name, 'sent', compare),
      ...bodyChanges(old.requestBody, fresh.requestBody, name, 'sent', compare),
    ]
  })
  const refusals = ENVELOPES.flatMap((name) => {
    const old = baseline.components.schemas[name]
    return old ? compare(old, now.components.schemas[name] ?? {}, name, 'sent') : []
  })
  return [...operations, ...events, ...refusals, ...schemeChanges(baseline, now)]
}

/** What all refusals hold. */
const ENVELOPES = ['Error', 'ScimError']

/** Credentials that are presented otherwise. */
function schemeChanges({ components: old }: Document, { components: fresh }: Document): string[] {
  return Object.entries(old.securitySchemes)
    .filter(([name, scheme]) => {
      const present = fresh.securitySchemes[name]
      return !present || Object.keys({ ...scheme, ...present }).some((word) => present[word] !== scheme[word])
    })
    .map(([name]) => `the credential ${name} is presented otherwise`)
}

type Compare = (old: Schema, fresh: Schema, where: string, way: Way) => string[]

function operationChanges(old: Operation, fresh: Operation, name: string, compare: Compare): string[] {
  const replies = Object.entries(old.responses).flatMap(([status, reply]) => {
    const present = fresh.responses[status]
    return present ? bodyChanges(reply, present, `${name} ${status}`, 'sent', compare) : [`${name} ${status} is gone`]
  })
  return [
    ...(fresh.operationId === old.operationId ? [] : [`${name} is no ${old.operationId} any more`]),
    ...credentialChanges(old, fresh, name),
    ...parameterChanges(old, fresh, name, 'taken', compare),
    ...bodyChanges(old.requestBody, fresh.requestBody, `${name} body`, 'taken', compare),
    ...replies,
  ]
}

/** Who was let in and is not any more; without a list, and by an empty one, everybody is. */
function credentialChanges({ security: olds = [] }: Operation, { security = [] }: Operation, name: string): string[] {
  if (security.length === 0) return []
  return (olds.length > 0 ? olds : [[]])
    .filter((presented) => !security.some((schemes) => schemes.every((scheme) => presented.includes(scheme))))
    .map((presented) => `${name} is not for ${presented.join(' and ') || 'everybody'} any more`)
}

function parameterChanges(old: Operation, fresh: Operation, name: string, way: Way, compare: Compare): string[] {
  const idOf = (one: Parameter) => `${one.in}.${one.name}`
  const parameters = new Map(fresh.parameters?.map((one) => [idOf(one), one]))
  const known = new Map(old.parameters?.map((one) => [idOf(one), one]))
  const kept = [...known].flatMap(([id, one]) => {
    const present = parameters.get(id)
    if (!present) return [`${name} ${id} is gone`]
    const isMissing = way === 'sent' && one.required && !present.required
    const changes = compare(one.schema, present.schema, `${name} ${id}`, way)
    return isMissing ? [`${name} ${id} may be missing, which it never was`, ...changes] : changes
  })
  if (way === 'sent') return kept
  const demanded = [...parameters]
    .filter(([id, { required }]) => required && !known.get(id)?.required)
    .map(([id]) => `${name} ${id} is required, which it was not`)
  return [...kept, ...demanded]
}

function bodyChanges(
  old: Body | undefined,
  fresh: Body | undefined,
  where: string,
  way: Way,
  compare: Compare,
): string[] {
  if (way === 'taken' && fresh?.required && !old?.required) return [`${where} is required, which it was not`]
  const contents = Object.entries(old?.content ?? {}).flatMap(([type, { schema }]) => {
    const present = fresh?.content?.[type]
    return present ? compare(schema, present.schema, where, way) : [`${where} is no ${type} any more`]
  })
  const headers = (old?.headers ?? []).filter((header) => !fresh?.headers?.includes(header))
  return [...contents, ...headers.map((header) => `${where} bears no ${header} any more`)]
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
    // A field that was never anything but null was kept free for what it holds now.
    if (way === 'sent' && olds.every((one) => kindOf(one) === 'null')) return []
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
    const elements = innerChanges(old.items, fresh.items, `${where}[]`, way)
    const named = innerChanges(old.additionalProperties, fresh.additionalProperties, `${where}.*`, way)
    const places = placeChanges(old.prefixItems, fresh.prefixItems, where, way)
    return [...fields, ...needed, ...elements, ...places, ...named, ...valueChanges(old, fresh, where, way)]
  }

  /** Of a list or a map: without a word about them its values are anything, and of false there are none. */
  function innerChanges(old: Inner, fresh: Inner, where: string, way: Way): string[] {
    if (old === false || fresh === false || (!isSchema(old) && !isSchema(fresh))) return []
    // What was anything may be told of more closely, and what is anything takes all there was.
    if (way === 'sent' ? !isSchema(old) : !isSchema(fresh)) return []
    return compare(isSchema(old) ? old : {}, isSchema(fresh) ? fresh : {}, where, way)
  }

  /** Of a list with a fixed number of values, each by its place. */
  function placeChanges(olds: Places, news: Places, where: string, way: Way): string[] {
    if (olds?.length !== news?.length) return [`${where} has another prefixItems`]
    return (olds ?? []).flatMap((old, i) => compare(old, news?.[i] ?? {}, `${where}[${i}]`, way))
  }
  return compare
}

type Places = readonly Schema[] | undefined

type Inner = Schema | boolean | undefined
const isSchema = (inner: Inner): inner is Schema => typeof inner === 'object'

/** A value by itself: words that are gone; of what is taken, bounds and forms that leave less than before. */
function valueChanges(old: Schema, fresh: Schema, where: string, way: Way): string[] {
  const gone = fresh.enum ? (old.enum ?? []).filter((word) => !fresh.enum?.includes(word)) : []
  const changes = gone.map((word) => `${where} is never ${JSON.stringify(word)} any more`)
  for (const name of new Set([...Object.keys(old), ...Object.keys(fresh)]))
    if (!COMPARED.has(name) && !isSame(old, fresh, name)) changes.push(`${where} has another ${name}`)
  if (way === 'sent') {
    if (old.format !== undefined && fresh.format !== old.format) changes.push(`${where} has another format`)
    return changes
  }
  if (old.default !== undefined && !isSame(old, fresh, 'default')) changes.push(`${where} has another default`)
  if (fresh.enum && !old.enum) changes.push(`${where} is one of a few words, which it was not`)
  if (fresh.additionalProperties === false && old.additionalProperties !== false)
    changes.push(`${where} refuses fields that it does not know, which it did not`)
  for (const name of ['pattern', 'format', 'propertyNames'] as const)
    if (fresh[name] !== undefined && !isSame(old, fresh, name) && !(name === 'format' && isWidthTold(old, fresh)))
      changes.push(`${where} has another ${name}`)
  const narrower = [
    ...LEAST.filter((name) => (fresh[name] ?? Number.NEGATIVE_INFINITY) > (old[name] ?? Number.NEGATIVE_INFINITY)),
    ...MOST.filter((name) => (fresh[name] ?? Number.POSITIVE_INFINITY) < (old[name] ?? Number.POSITIVE_INFINITY)),
  ]
  return [...changes, ...narrower.map((name) => `${where} has a narrower ${name}`)]
}

const isSame = (old: object, fresh: object, name: string): boolean =>
  JSON.stringify(old[name as keyof object]) === JSON.stringify(fresh[name as keyof object])

/** Every number that was taken is: it is said of it now that it may be as wide as it could be before. */
const isWidthTold = (old: Schema, fresh: Schema): boolean =>
  old.format === undefined &&
  fresh.format === (fresh.type === 'integer' ? 'int64' : fresh.type === 'number' && 'double')

const LEAST = ['minimum', 'minLength', 'minItems'] as const
const MOST = ['maximum', 'maxLength', 'maxItems'] as const

/** Words of a schema of whose meaning the above knows; any other one must not change at all. */
const COMPARED = new Set<string>(
  'type properties required items prefixItems enum additionalProperties propertyNames pattern format default'
    .split(' ')
    .concat(LEAST, MOST),
)

/** The forms of a value: of a union each of them, of a list of types one each, a constant as a list of one word. */
function formsIn({ components }: Document): (schema: Schema) => readonly Schema[] {
  const known = new Map<Schema, readonly Schema[]>()
  const read = ({ $ref, anyOf, const: only, ...one }: Schema): readonly Schema[] => {
    const beside = (form: Schema) => (Object.keys(one).length > 0 ? { ...form, ...one } : form)
    if ($ref !== undefined) return formsOf(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}).map(beside)
    if (anyOf) return anyOf.flatMap(formsOf).map(beside)
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
