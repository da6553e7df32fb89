import type { Route } from './route.ts'

/** The body as the route declares it. What is wrong with it is told by field, never by value: replies hold secrets. */
export function publicBody({ operationId, replies }: Route, status: number, body: unknown): unknown {
  const schema = replies[status]
  if (!schema) throw new Error(`${operationId} answered ${status}, which it does not declare`)
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, code }) => `${path.map(String).join('.')} (${code})`)
  throw new Error(`${operationId} cannot send what it declares: ${faults.join(', ')}`)
}
