import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, platform, rounded, table } from './report.ts'

/** µs of CPU by the name of what was done; and of all of them how many were collecting garbage. */
export type Costs = Readonly<Record<string, number>>

/**
 * What the gateway's own work on orders costs in a process that holds what it made last, as servers do: where V8 may decide
 * that what a place in the code makes is born old, and where it may not, in turns.
 *
 *   node --conditions=source tests/bench/born-old.ts [turns]
 */
const turns = Number(process.argv[2] ?? 7)
const SIDES = { 'born old': [], 'born young': ['--no-allocation-site-pretenuring'] }

const measured: Record<string, Costs[]> = {}
for (let turn = 0; turn < turns; turn++) {
  for (const [side, flags] of Object.entries(SIDES)) {
    const child = fork(join(import.meta.dirname, 'born-old-process.ts'), {
      execArgv: ['--conditions=source', ...flags],
    })
    const [costs] = (await once(child, 'message')) as [Costs]
    measured[side] = [...(measured[side] ?? []), costs]
  }
}

const sides = Object.keys(SIDES)
const of = (side: string, name: string) => median(measured[side]!.map((costs) => costs[name]!))
console.log(platform())
console.log(
  table(
    ['µs of CPU', ...sides, 'of the first'],
    Object.keys(measured[sides[0]!]![0]!).map((name) => {
      const [first, second] = sides.map((side) => of(side, name)) as [number, number]
      return [name, rounded(first, 1), rounded(second, 1), rounded(second / first, 2)]
    }),
  ),
)
