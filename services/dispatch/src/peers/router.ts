import type { Point } from '../domain/coverage.ts'

/** A way by road that a routing engine found. */
export interface Route {
  metres: number
  seconds: number
}

export interface Router {
  /** The ways from one point to others, in their order; null for one it has no way to, and for all while it is away. */
  routes(from: Point, to: readonly Point[]): Promise<Array<Route | null>>
}
