import { RIDER } from '../../../http/wallet-owner.ts'
import { payoutInstrumentsOf } from '../../me/payout-instruments.ts'

export const routes = payoutInstrumentsOf(RIDER)
