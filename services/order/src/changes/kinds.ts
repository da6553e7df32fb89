import type { SettlementIntent, Waiting } from '../commissions/finish.ts'
import type { Context } from '../context.ts'
import { cancel } from './cancel-order.ts'
import type { Change } from './change.ts'
import { assignment } from './commit-assignment.ts'
import { riderDecline } from './decline-rider-order.ts'
import { afterSettlement } from './make-change.ts'
import { progress } from './record-progress.ts'
import { proof } from './record-proof-of-delivery.ts'
import { update } from './update-order.ts'
import { riderStatus } from './update-rider-order-status.ts'

type AnyChange = Change<{ orderId: string }, unknown>

const KINDS: ReadonlyMap<string, AnyChange> = new Map(
  // What is read back is what the change of this kind wrote.
  ([update, cancel, riderStatus, riderDecline, proof, assignment, progress] as unknown as AnyChange[]).map((each) => [
    each.kind,
    each,
  ]),
)

/** The change that an intent names, to be made once its commission is settled. */
export function changeWaitingFor(ctx: Pick<Context, 'config' | 'logger'>, intent: SettlementIntent): Waiting<unknown> {
  const change = KINDS.get(intent.act.kind)
  if (!change) throw new TypeError(`no change is called ${intent.act.kind}`)
  return afterSettlement(ctx, change, intent)
}
