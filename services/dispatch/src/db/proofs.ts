import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import { rowOf, type Source } from './rows.ts'

export interface KeptProof {
  proof: RecordProofOfDeliveryRequest
  /** The order is known to have it. */
  hasArrived: boolean
}

/** The latest proof of the order that was opened as an intent of that kind and not refused, or null. */
export const findProof = (source: Source, kind: string, orderId: string): Promise<KeptProof | null> =>
  rowOf<KeptProof>(
    source,
    `SELECT payload AS proof, state = 'applied' AS has_arrived FROM intent
      WHERE kind = $1 AND subject_id = $2 AND state IN ('pending', 'applied') ORDER BY attempt DESC LIMIT 1`,
    [kind, orderId],
  )
