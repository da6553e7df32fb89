import { setTimeout as wait } from 'node:timers/promises'
import type { Mesh } from '@svc/testing'

export interface Kills {
  /** For how long parts are killed. What begins meanwhile may end later, when all of them are back. */
  loadMs: number
  /** Pause between two kills. */
  killEveryMs: number
  /** Who is killed with SIGKILL, in turn. */
  victims: readonly string[]
}

/**
 * Kills parts of a mesh in turn, whether they are back from the last time or not. Answers how often. It ends by the clock: where
 * a start takes longer than a round of kills, nobody that waits for an answer would ever have one.
 */
export async function killInTurn(system: Mesh, { loadMs, killEveryMs, victims }: Kills): Promise<number> {
  let kills = 0
  for (const end = Date.now() + loadMs; Date.now() + killEveryMs <= end; kills++) {
    await wait(killEveryMs)
    await system.kill(victims[kills % victims.length] ?? '')
  }
  return kills
}
