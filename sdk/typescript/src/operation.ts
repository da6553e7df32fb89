/** A call, as the table of operations has it. */
export interface OperationShape {
  method: string
  path: string
  /** Where the input goes; none where there is none. */
  input?: 'body' | 'query'
  /** Whether it takes an Idempotency-Key. */
  key?: boolean
  page?: PageShape
}

/** The list of a page, and the parameter that asks for the page after it. */
export interface PageShape {
  items: string
  by: 'cursor' | 'after' | 'offset'
}
