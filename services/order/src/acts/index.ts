import type { Act } from './act.ts'
import { assignment } from './assignment.ts'
import { cancel } from './cancel.ts'
import { progress } from './progress.ts'
import { proof } from './proof.ts'
import { riderStatus } from './rider-status.ts'
import { update } from './update.ts'

type AnyAct = Act<{ orderId: string }, unknown>

const ACTS: ReadonlyMap<string, AnyAct> = new Map(
  // What is read back is what the act of this kind wrote.
  ([update, cancel, riderStatus, proof, assignment, progress] as unknown as AnyAct[]).map((act) => [act.kind, act]),
)

/** The act of a kind that an intent names. */
export function actOf(kind: string): AnyAct {
  const act = ACTS.get(kind)
  if (!act) throw new TypeError(`no act is called ${kind}`)
  return act
}
