/** What became of an event of the payment provider. */
export type Judgement =
  | { outcome: 'applied' }
  /** Nothing here depends on it. */
  | { outcome: 'ignored'; reason: string }
  /** It does not fit what we know, and never will: nothing was moved. */
  | { outcome: 'refused'; reason: string; merchantId?: string }
  /** What it is about may still be on its way here. */
  | { outcome: 'waiting'; reason: string }

/** One that will not change by itself. */
export type FinalJudgement = Exclude<Judgement, { outcome: 'waiting' }>

export const ignored = (reason: string): FinalJudgement => ({ outcome: 'ignored', reason })
/** With the merchant whom it turned out to be about. */
export const refused = (reason: string, merchantId?: string): FinalJudgement => ({
  outcome: 'refused',
  reason,
  merchantId,
})
