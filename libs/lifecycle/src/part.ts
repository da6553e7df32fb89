/** One thing that a service starts and stops: a server, a consumer, a pool, a relay. */
export interface Part {
  name: string
  start?(): Promise<void>
  stop?(): Promise<void>
}
