import { type FieldFault, validationError } from '@svc/errors'
import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** The value as its schema reads it, or validation_error naming every broken rule and the path of its field. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const [first, ...rest] = result.error.issues.flatMap((issue) => faults(issue, []))
  throw validationError([first ?? { field: '', rule: 'invalid', message: 'The request is not valid.' }, ...rest])
}

function faults(issue: Issue, parent: readonly PropertyKey[]): FieldFault[] {
  const path = [...parent, ...issue.path]
  const field = spell(path)
  switch (issue.code) {
    case 'invalid_type':
      return [issue.input === undefined ? missing(field) : wrongType(field, issue.expected)]
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const unknown = spell([...path, key])
        return { field: unknown, rule: 'unknown_field', message: `${unknown} is not a field of this request.` }
      })
    case 'invalid_value':
      if (issue.input === undefined) return [missing(field)]
      return [notAllowed(field, issue.values)]
    case 'too_small':
      return [bound(field, 'min', 'at least', issue.origin, Number(issue.minimum))]
    case 'too_big':
      return [bound(field, 'max', 'at most', issue.origin, Number(issue.maximum))]
    case 'invalid_union':
      return issue.input === undefined ? [missing(field)] : union(issue, path)
    case 'invalid_format':
      return [{ field, rule: FORMATS[issue.format] ?? issue.format, message: `${field}: ${issue.message}.` }]
    case 'custom':
      return [{ field, rule: String(issue.params?.rule ?? 'invalid'), message: issue.message }]
    default:
      return [{ field, rule: 'invalid', message: `${field} is not valid.` }]
  }
}

const FORMATS: Record<string, string> = { regex: 'pattern', guid: 'uuid' }

// Of a union, the member that came closest says what is wrong.
function union(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): FieldFault[] {
  const [closest] = [...issue.errors].sort((a, b) => a.length - b.length)
  if (!closest?.length) return [{ field: spell(path), rule: 'invalid', message: `${spell(path)} is not valid.` }]
  return closest.flatMap((inner) => faults(inner, path))
}

const missing = (field: string): FieldFault => ({ field, rule: 'required', message: `${field} is required.` })

const wrongType = (field: string, expected: string): FieldFault => ({
  field,
  rule: expected === 'int' ? 'integer' : 'type',
  message: `${field} must be ${NAMES[expected] ?? expected}.`,
})

function notAllowed(field: string, allowed: readonly unknown[]): FieldFault {
  const spelt = [...new Set(allowed.map(String))]
  const message = spelt.length === 1 ? `${field} must be ${spelt[0]}.` : `${field} must be one of: ${spelt.join(', ')}.`
  return { field, rule: 'enum', message, allowed }
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

const UNITS: Record<string, [one: string, many: string]> = {
  string: [' character long', ' characters long'],
  array: [' element long', ' elements long'],
}

function bound(field: string, rule: 'min' | 'max', words: string, origin: string, limit: number): FieldFault {
  const unit = UNITS[origin]?.[limit === 1 ? 0 : 1] ?? ''
  return { field, rule, message: `${field} must be ${words} ${limit}${unit}.`, limit }
}

/** `standardized.items[1].name`. */
function spell(path: readonly PropertyKey[]): string {
  let spelt = ''
  for (const step of path) spelt += typeof step === 'number' ? `[${step}]` : `${spelt && '.'}${String(step)}`
  return spelt
}
