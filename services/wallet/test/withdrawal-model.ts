export type End = 'success' | 'failed' | 'reversed'
export type Fault = 'none' | 'lost' | 'answer_lost' | 'refused'

export interface ModelWithdrawal {
  status: string
  amountMinor: number
  attempt: number
  approvers: Set<string>
  /** The latest attempt has its reference. */
  hasReference: boolean
  /** The latest attempt was taken up. */
  isSubmitted: boolean
  /** At the provider, by attempt. */
  transfers: Map<number, 'pending' | End>
}

export const FOUR_EYES_ABOVE = 300

/** What withdrawals of one wallet come to, as simply as it can be said. */
export class WithdrawalModel {
  available = 0
  withdrawals: ModelWithdrawal[] = []

  get held(): number {
    const open = this.withdrawals.filter(({ status }) => ['pending_review', 'approved', 'processing'].includes(status))
    return open.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  }

  request(amountMinor: number): string {
    if (this.available < amountMinor) return 'wallet_insufficient'
    this.available -= amountMinor
    this.withdrawals.push({
      status: 'pending_review',
      amountMinor,
      attempt: 1,
      approvers: new Set(),
      hasReference: false,
      isSubmitted: false,
      transfers: new Map(),
    })
    return 'ok'
  }

  cancel(one: ModelWithdrawal): string {
    if (one.status === 'cancelled') return 'ok'
    return one.status === 'pending_review' ? this.#giveBack(one, 'cancelled') : 'invalid_state'
  }

  reject(one: ModelWithdrawal): string {
    return one.status === 'pending_review' ? this.#giveBack(one, 'rejected') : 'invalid_state'
  }

  approve(one: ModelWithdrawal, operator: string): string {
    if (one.status !== 'pending_review') return 'invalid_state'
    if (one.approvers.has(operator)) return 'second_approver_required'
    one.approvers.add(operator)
    if (one.approvers.size === (one.amountMinor > FOUR_EYES_ABOVE ? 2 : 1)) one.status = 'approved'
    return 'ok'
  }

  retry(one: ModelWithdrawal): string {
    if (one.status !== 'failed') return 'invalid_state'
    if (this.available < one.amountMinor) return 'wallet_insufficient'
    this.available -= one.amountMinor
    one.attempt++
    one.status = 'processing'
    one.isSubmitted = false
    return 'ok'
  }

  work(one: ModelWithdrawal, fault: Fault): string {
    if (one.status !== 'approved' && one.status !== 'processing') return 'ok'
    const isNew = !one.isSubmitted
    one.status = 'processing'
    one.hasReference = true
    one.isSubmitted = true
    const known = one.transfers.get(one.attempt)
    if (known !== undefined) {
      if (known !== 'pending') this.#settle(one, known)
      return 'ok'
    }
    if (fault === 'refused') return isNew ? this.#giveBack(one, 'failed') : 'service_unavailable'
    if (fault !== 'lost') one.transfers.set(one.attempt, 'pending')
    return fault === 'none' ? 'ok' : 'service_unavailable'
  }

  /** The provider ends the transfer of the latest attempt, should it have it. */
  end(one: ModelWithdrawal, end: End): void {
    if (one.transfers.has(one.attempt)) one.transfers.set(one.attempt, end)
  }

  hook(one: ModelWithdrawal, attempt: number, end: End, isRightAmount: boolean): string {
    if (attempt !== one.attempt || !one.hasReference)
      return attempt < one.attempt ? 'ignored old_reference' : 'refused unknown_reference'
    return isRightAmount ? this.#settle(one, end) : 'refused amount_differs'
  }

  #settle(one: ModelWithdrawal, end: End): string {
    if (one.status === 'processing') {
      if (end === 'success') one.status = 'paid'
      else this.#giveBack(one, 'failed')
      return 'applied'
    }
    if (one.status === 'paid' && end === 'reversed') {
      this.#giveBack(one, 'failed')
      return 'applied'
    }
    return (one.status === 'paid') === (end === 'success') ? 'ignored known_already' : 'refused contradicts'
  }

  #giveBack(one: ModelWithdrawal, status: string): string {
    one.status = status
    this.available += one.amountMinor
    return 'ok'
  }
}
