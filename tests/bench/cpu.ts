import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Mesh } from '@svc/testing'

/** Milliseconds of processor time, of kernel and user, by the process that used them. */
export type CpuMs = Readonly<Record<string, number>>

/** USER_HZ is 100 on every Linux that this runs on. */
const MS_PER_TICK = 10

interface Stat {
  parent: number
  ms: number
}

/**
 * What every process of a mesh with servers of its own has used until now, a server's children with it, and this process as
 * `load`, and others by their numbers. A process that was started again in between has used less than before: such a difference says nothing.
 */
export function cpuMs(system: Pick<Mesh, 'pidFiles'>, others: Readonly<Record<string, number>> = {}): CpuMs {
  const running = allProcesses()
  const used = (pid: number): number => {
    const children = [...running].filter(([, { parent }]) => parent === pid)
    return (running.get(pid)?.ms ?? 0) + children.reduce((sum, [child]) => sum + used(child), 0)
  }
  const named = system.pidFiles().map((file) => {
    const [pid] = readFileSync(file, 'utf8').split(' ')
    return [basename(file, '.pid'), used(Number(pid))]
  })
  const beside = Object.entries(others).map(([name, pid]) => [name, used(pid)])
  return { ...Object.fromEntries([...named, ...beside]), load: running.get(process.pid)?.ms ?? 0 }
}

/** The same of the sessions of its Postgres alone, by the role and the database of each: those that have ended are not in it. */
export function sessionsCpuMs(system: Pick<Mesh, 'pidFiles'>): CpuMs {
  const file = system.pidFiles().find((name) => basename(name) === 'postgres.pid') as string
  const postmaster = Number(readFileSync(file, 'utf8').split(' ')[0])
  const used: Record<string, number> = {}
  for (const [pid, { parent, ms }] of allProcesses()) {
    const title = parent === postmaster ? titleOf(pid) : ''
    const name = /^postgres: (\w+ \S+) 127/.exec(title)?.[1] ?? (title && 'its own processes')
    if (name) used[name] = (used[name] ?? 0) + ms
  }
  return used
}

/** What was used from one reading to the next, for each of so many operations. */
export function perOperation(before: CpuMs, after: CpuMs, operations: number): CpuMs {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / operations]))
}

/** Of all processes but the one that makes the load. */
export const total = ({ load: _load, ...others }: CpuMs): number =>
  Object.values(others).reduce((sum, ms) => sum + ms, 0)

function allProcesses(): Map<number, Stat> {
  const found = new Map<number, Stat>()
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      found.set(Number(pid), stat(readFileSync(`/proc/${pid}/stat`, 'latin1')))
    } catch {
      // It has ended meanwhile.
    }
  }
  return found
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Counted after the name in brackets: parent is field 4, own time 14 and 15, that of children that have ended 16 and 17. */
function stat(line: string): Stat {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return { parent: fields[1] as number, ms: ticks * MS_PER_TICK }
}
