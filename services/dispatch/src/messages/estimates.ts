import type { EstimateFaresResponse } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Estimates } from '../domain/estimates.ts'

/** estimates → message */
export const estimatesMessage = ({
  card,
  isPickupOutside,
  fares,
  minimumFeeMinor,
  opensAt,
}: Estimates): EstimateFaresResponse => ({
  rate_card: card ? { id: card.id, version: card.version, name: card.name, currency: card.currency } : undefined,
  pickup_outside: isPickupOutside,
  fares: fares.map(({ isOutside, feeMinor }) => ({ outside: isOutside, fee_minor: feeMinor ?? undefined })),
  minimum_fee_minor: minimumFeeMinor ?? undefined,
  opens_at: opensAt?.toISOString(),
})
