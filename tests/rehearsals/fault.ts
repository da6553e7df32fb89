import type { Stage } from './stage.ts'

/** An alert that a fault must make fire, and where its page says what to do. */
export interface Watched {
  alert: string
  /** For which process it must fire, where it tells. */
  job?: string
  /** Of docs/runbooks. */
  section: string
}

/** What goes wrong, and how it is put right by the page. */
export interface Fault {
  name: string
  /** In one line, for the table of docs/runbooks. */
  what: string
  watched: readonly Watched[]
  /** Makes it go wrong, for real, and goes on doing so. Answers how it ends: by following the pages once the alerts have fired. */
  cause: (stage: Stage) => Promise<() => Promise<unknown>>
}
