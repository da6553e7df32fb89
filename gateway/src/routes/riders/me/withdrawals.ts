import { RIDER } from '../../../http/wallet-owner.ts'
import { withdrawalsOf } from '../../me/withdrawals.ts'

export const routes = withdrawalsOf(RIDER)
