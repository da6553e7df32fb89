import { AsyncLocalStorage } from 'node:async_hooks'

const fields = new AsyncLocalStorage<Readonly<Record<string, unknown>>>()

/** Every log line written while `work` runs, and in what it awaits, carries these fields, for example `request_id`. */
export function withLogFields<T>(added: Readonly<Record<string, unknown>>, work: () => T): T {
  return fields.run(added, work)
}

export const currentLogFields = () => fields.getStore()
