import type { Part } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { type Moved, observeMoves } from '../use-cases/progress/observe-moves.ts'

export interface MoveObserver extends Part {
  /** Has the positions looked at soon; their report does not wait for it. */
  observe(moved: readonly Moved[]): void
}

/** Relates positions to the orders that their riders have under way: those that come meanwhile are looked at together. */
export function moveObserver(context: () => Context): MoveObserver {
  let waiting: Moved[] = []
  let underWay: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const moved = waiting
      waiting = []
      await observeMoves(context(), moved)
    }
    underWay = null
  }

  return {
    name: 'move observer',
    observe(moved) {
      const carrying = moved.filter(({ orders }) => orders.some(({ is_assigned }) => is_assigned))
      if (carrying.length === 0) return
      waiting = [...waiting, ...carrying]
      underWay ??= drain()
    },
    async stop() {
      await underWay
    },
  }
}
