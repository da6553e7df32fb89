import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, type Mesh } from '@svc/testing'

const START_WITHIN_MS = 120_000

/** Where a process says whether it takes connections. */
export const servingUrl = (system: Mesh, name: string): string =>
  new URL('/health/serving', system.metricsUrls[name]).href

/**
 * Stops a process as a cluster does, waits until the next one serves and has for a while, and answers how many seconds it
 * was away. A cluster starts the new process before it stops the old one; here one of two is away meanwhile.
 */
export async function replace(system: Mesh, name: string, minReadyMs: number): Promise<number> {
  const before = pidOf(system, name)
  const since = performance.now()
  await system.kill(name, 'SIGTERM')
  await eventually(async () => pidOf(system, name) !== before && (await fetch(servingUrl(system, name))).ok, {
    timeoutMs: START_WITHIN_MS,
    intervalMs: 100,
    message: `${name} serves again`,
  })
  const seconds = (performance.now() - since) / 1_000
  await wait(minReadyMs)
  return seconds
}

function pidOf(system: Mesh, name: string): string | undefined {
  const file = system.pidFiles().find((path) => basename(path) === `${name}.pid`)
  return file && readFileSync(file, 'utf8')
}
