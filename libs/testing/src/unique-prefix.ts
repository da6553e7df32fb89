import { randomBytes } from 'node:crypto'

/** A short name no other test has: for topics, groups, Redis keys and databases. Valid in all of them unquoted. */
export function uniquePrefix(): string {
  return `t${randomBytes(6).toString('hex')}_`
}
