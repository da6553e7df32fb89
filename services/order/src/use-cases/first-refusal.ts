import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Gate } from '../context.ts'
import type { OrderDraft } from '../domain/order-draft.ts'

/** The refusal of the first gate that refuses; a gate that cannot tell refuses too, since none is ever skipped. */
export async function firstRefusal(
  gates: readonly Gate[],
  draft: OrderDraft,
  caller: Caller,
): Promise<ServiceError | null> {
  for (const gate of gates) {
    const refusal = await ask(gate, draft, caller)
    if (refusal) return refusal
  }
  return null
}

async function ask(gate: Gate, draft: OrderDraft, caller: Caller): Promise<ServiceError | null> {
  try {
    return await gate(draft, caller)
  } catch (error) {
    return new ServiceError('service_unavailable', { cause: error })
  }
}
