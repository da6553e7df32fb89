export type End = 'success' | 'failed' | 'reversed'
export type Fault = 'none' | 'lost' | 'answer_lost' | 'refused'

export interface ModelWithdrawal {
  status: string
  amountMinor: number
  attempt: number
  approvers: Set<string>
  /** Who let it go out last. */
  reviewer: string
  /** The attempt whose reference it has; 0: none as yet. */
  reference: number
  /** The last attempt that failed had come back from the bank. */
  isReversed: boolean
  /** The latest attempt was taken up. */
  isSubmitted: boolean
  /** At the provider, by the attempt that their references name. */
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
      reviewer: '',
      reference: 0,
      isReversed: false,
      isSubmitted: false,
      transfers: new Map(),
    })
    return 'ok'
  }

  cancel(one: ModelWithdrawal): string {
    return one.status === 'pending_review' ? this.#giveBack(one, 'cancelled') : 'invalid_state'
  }

  reject(one: ModelWithdrawal): string {
    return one.status === 'pending_review' ? this.#giveBack(one, 'rejected') : 'invalid_state'
  }

  approve(one: ModelWithdrawal, operator: string): string {
    if (one.status !== 'pending_review') return 'invalid_state'
    if (one.approvers.has(operator)) return 'second_approver_required'
    one.approvers.add(operator)
    if (one.approvers.size >= (this.#isLarge(one) ? 2 : 1)) {
      one.status = 'approved'
      one.reviewer = operator
    }
    return 'ok'
  }

  retry(one: ModelWithdrawal, operator: string): string {
    if (one.status !== 'failed') return 'invalid_state'
    if (this.#isLarge(one) && one.reviewer === operator) return 'second_approver_required'
    const known = one.transfers.get(one.reference)
    if (known === 'pending') return 'invalid_state transfer_pending'
    if (known === 'success') return this.#takeAgain(one)
    if (this.available < one.amountMinor) return 'wallet_insufficient'
    this.available -= one.amountMinor
    one.attempt++
    one.reference = one.attempt
    one.reviewer = operator
    one.status = 'processing'
    one.isSubmitted = false
    return 'ok'
  }

  /** All that goes out within the day counts, and the model knows no other day. */
  #isLarge(one: ModelWithdrawal): boolean {
    const out = this.withdrawals.filter(({ status }) => ['approved', 'processing', 'paid'].includes(status))
    const others = out.filter((each) => each !== one).reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    return others + one.amountMinor > FOUR_EYES_ABOVE
  }

  #takeAgain(one: ModelWithdrawal): string {
    if (!one.isReversed && this.available >= one.amountMinor) {
      this.available -= one.amountMinor
      one.attempt++
      one.status = 'paid'
    }
    return 'invalid_state transfer_succeeded'
  }

  work(one: ModelWithdrawal, fault: Fault): string {
    const known = one.transfers.get(one.reference)
    if (one.status === 'paid' && known !== undefined && known !== 'pending') this.#settle(one, known)
    if (one.status !== 'approved' && one.status !== 'processing') return 'ok'
    const isNew = !one.isSubmitted
    one.status = 'processing'
    one.reference = one.attempt
    one.isSubmitted = true
    if (known !== undefined) {
      if (known !== 'pending') this.#settle(one, known)
      return 'ok'
    }
    if (fault === 'refused') return isNew ? this.#fail(one, 'failed') : 'service_unavailable'
    if (fault !== 'lost') one.transfers.set(one.reference, 'pending')
    return fault === 'none' ? 'ok' : 'service_unavailable'
  }

  /** The provider ends the transfer of the latest attempt, should it have it. */
  end(one: ModelWithdrawal, end: End): void {
    if (one.transfers.has(one.reference)) one.transfers.set(one.reference, end)
  }

  hook(one: ModelWithdrawal, attempt: number, end: End, isRightAmount: boolean): string {
    if (attempt !== one.reference) return attempt < one.attempt ? 'ignored old_reference' : 'refused unknown_reference'
    const leaves = end === 'success' || (end === 'reversed' && one.status === 'paid')
    return leaves && !isRightAmount ? 'refused amount_differs' : this.#settle(one, end)
  }

  #settle(one: ModelWithdrawal, end: End): string {
    if (one.status === 'processing') {
      if (end === 'success') one.status = 'paid'
      else this.#fail(one, end)
      return 'applied'
    }
    if (one.status === 'paid' && end === 'reversed') {
      this.#fail(one, end)
      return 'applied'
    }
    return (one.status === 'paid') === (end === 'success') ? 'ignored known_already' : 'refused contradicts'
  }

  #fail(one: ModelWithdrawal, end: End): string {
    one.isReversed = end === 'reversed'
    return this.#giveBack(one, 'failed')
  }

  #giveBack(one: ModelWithdrawal, status: string): string {
    one.status = status
    this.available += one.amountMinor
    return 'ok'
  }
}
