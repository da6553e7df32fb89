import { ServiceError } from '@svc/errors'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, type Transfer } from '@svc/payments'
import type { End, Fault } from './withdrawal-model.ts'

export type ScriptedProvider = ReturnType<typeof scriptedProvider>

/** A payment provider in memory that makes at most one transfer per reference and goes wrong as it is told. */
export function scriptedProvider() {
  const transfers = new Map<string, Transfer>()
  let fault: Fault = 'none'

  const payments: Pick<Payments, 'mode' | 'initiateTransfer' | 'verifyTransfer' | 'close'> = {
    mode: null,
    async initiateTransfer({ reference, amountMinor, currency }) {
      if (fault === 'lost') throw new ServiceError('service_unavailable')
      if (fault === 'refused') throw new PaymentRefusedError('no', 400, null)
      if (transfers.has(reference)) throw new PaymentRepeatedError('again')
      const transfer = { reference, status: 'pending', amountMinor, currency }
      transfers.set(reference, transfer)
      if (fault === 'answer_lost') throw new ServiceError('service_unavailable')
      return transfer
    },
    verifyTransfer: async (reference) => transfers.get(reference) ?? null,
    close: async () => {},
  }

  return {
    payments: payments as Payments,
    goWrong(next: Fault): void {
      fault = next
    },
    end(reference: string, status: End): void {
      const transfer = transfers.get(reference)
      if (transfer) transfers.set(reference, { ...transfer, status })
    },
  }
}
