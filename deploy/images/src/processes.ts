import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The names of what is deployed: every service, and the gateway. Each is the package `@svc/<name>`. */
export function processNames(root: string): string[] {
  const services = readdirSync(join(root, 'services')).filter((name) =>
    existsSync(join(root, 'services', name, 'src/main.ts')),
  )
  return [...services.sort(), 'gateway']
}
