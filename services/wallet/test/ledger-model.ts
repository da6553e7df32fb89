import type { Decision } from '../src/domain/operation.ts'

/** What an operation is expected to answer. */
export interface Expected {
  outcome: Decision['outcome'] | 'conflict'
  state?: string
  reason?: string
}

interface Recorded {
  what: string
  expected: Expected
}

interface Held {
  payer: string
  leftMinor: number
  beneficiary?: string
  parts: Set<string>
}

/** The ledger as one would explain it: balances by name, decisions by key, open holds by subject. */
export class LedgerModel {
  readonly balances = new Map<string, number>()
  readonly #decisions = new Map<string, Recorded>()
  readonly #applied = new Map<string, Expected>()
  readonly #holds = new Map<string, Held>()

  balanceOf(account: string): number {
    return this.balances.get(account) ?? 0
  }

  #move(changes: Readonly<Record<string, number>>): void {
    for (const [account, change] of Object.entries(changes))
      this.balances.set(account, this.balanceOf(account) + change)
  }

  #earlier(key: string, what: string, businessKey: string | null): Expected | undefined {
    const decided = this.#decisions.get(key)
    if (decided?.expected.outcome === 'aborted') return decided.expected
    if (decided) return decided.what === what ? decided.expected : { outcome: 'conflict' }
    const applied = businessKey === null ? undefined : this.#applied.get(businessKey)
    return applied && { outcome: 'already_applied', state: applied.state }
  }

  #record(key: string, what: string, expected: Expected): Expected {
    this.#decisions.set(key, { what, expected })
    return expected
  }

  #post(
    key: string,
    what: string,
    businessKey: string | null,
    changes: Record<string, number>,
    state?: string,
  ): Expected {
    const earlier = this.#earlier(key, what, businessKey)
    if (earlier) return earlier
    const isShort = Object.entries(changes).some(([account, change]) => this.balanceOf(account) + change < 0)
    if (isShort) return this.#record(key, what, { outcome: 'declined', reason: 'insufficient' })
    this.#move(changes)
    const expected: Expected = { outcome: 'applied', state }
    if (businessKey !== null) this.#applied.set(businessKey, expected)
    return this.#record(key, what, expected)
  }

  /** Money from outside, once per reference. */
  topUp(key: string, reference: string, account: string, amountMinor: number): Expected {
    return this.#post(key, `topup ${reference} ${account} ${amountMinor}`, `topup ${reference}`, {
      [account]: amountMinor,
    })
  }

  place(key: string, subject: string, payer: string, amountMinor: number, beneficiary?: string, what = ''): Expected {
    const whole = what || `place ${subject} ${payer} ${amountMinor}`
    const earlier = this.#earlier(key, whole, null)
    if (earlier) return earlier
    if (this.#holds.has(subject)) return { outcome: 'already_applied', state: 'held' }
    const placed = this.#post(key, whole, null, { [payer]: -amountMinor, [`${payer} held`]: amountMinor }, 'held')
    if (placed.outcome === 'applied')
      this.#holds.set(subject, { payer, leftMinor: amountMinor, beneficiary, parts: new Set() })
    return placed
  }

  capture(key: string, subject: string, part: string, amountMinor: number | null, payee?: string, what = ''): Expected {
    const whole = what || `capture ${subject} ${part} ${amountMinor} ${payee}`
    const earlier = this.#earlier(key, whole, `commission ${part}`)
    if (earlier) return earlier
    const hold = this.#holds.get(subject)
    if (!hold) return this.#record(key, whole, { outcome: 'declined', reason: 'nothing_held' })
    const amount = amountMinor ?? hold.leftMinor
    if (amount > hold.leftMinor) return this.#record(key, whole, { outcome: 'declined', reason: 'exceeds_hold' })
    const changes = { [`${hold.payer} held`]: -amount, [payee ?? hold.beneficiary!]: amount }
    const captured = this.#post(key, whole, `commission ${part}`, changes, 'paid')
    hold.leftMinor -= amount
    if (hold.leftMinor === 0) this.#holds.delete(subject)
    return captured
  }

  release(key: string, subject: string, attempt?: string): Expected {
    const what = `release ${subject} ${attempt}`
    const earlier = this.#earlier(key, what, null)
    if (earlier) return earlier
    if (attempt) this.abort(attempt)
    const hold = this.#holds.get(subject)
    if (!hold) return this.#record(key, what, { outcome: 'declined', reason: 'nothing_held' })
    this.#holds.delete(subject)
    const changes = { [`${hold.payer} held`]: -hold.leftMinor, [hold.payer]: hold.leftMinor }
    return this.#post(key, what, null, changes, 'returned')
  }

  abort(key: string): Expected {
    const decided = this.#decisions.get(key)
    return decided ? decided.expected : this.#record(key, '', { outcome: 'aborted' })
  }

  settle(key: string, order: string, mode: string, payer: string, rider: string, amountMinor: number): Expected {
    const what = `settle ${order} ${mode} ${payer} ${rider} ${amountMinor}`
    const earlier = this.#earlier(key, what, `commission ${order}`)
    if (earlier) return earlier
    const subject = `commission ${order}`
    if (mode === 'hold_in_escrow') return this.place(key, subject, payer, amountMinor, rider, what)
    if (this.#holds.has(subject)) return this.capture(key, subject, order, null, undefined, what)
    return this.#post(key, what, `commission ${order}`, { [payer]: -amountMinor, [rider]: amountMinor }, 'paid')
  }
}
