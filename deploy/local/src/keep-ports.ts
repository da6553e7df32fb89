import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { freePort, isPortFree } from '@svc/servers'

type Ports = Record<string, number>

/** The ports of the last run where they are still free, else new ones; `preferred` ones count upwards to a free one. */
export async function keepPorts(file: string, names: readonly string[], preferred: Ports): Promise<Ports> {
  const kept = readPorts(file)
  const taken = new Set(Object.values(kept))
  const ports: Ports = {}
  for (const name of names) {
    const port = await portFor(kept[name], preferred[name], taken)
    taken.add(port)
    ports[name] = port
  }
  writeFileSync(file, `${JSON.stringify({ ...kept, ...ports }, null, 2)}\n`)
  return ports
}

/** The ports of the last run, whether or not they are in use. */
export function readPorts(file: string): Ports {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ports) : {}
}

async function portFor(kept: number | undefined, preferred: number | undefined, taken: Set<number>): Promise<number> {
  if (kept && (await isPortFree(kept))) return kept
  if (!preferred) return freePort(taken)
  let port = preferred
  while (taken.has(port) || !(await isPortFree(port))) port++
  return port
}
