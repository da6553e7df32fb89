import { defineEntity, p } from '@mikro-orm/postgresql'

/** One step of an automatic order that is to fire, has fired, or has nothing left to do. */
export class SimTimer {
  orderId!: string
  step!: number
  merchantId!: string
  firesAt!: Date
  state!: 'pending' | 'done' | 'skipped'
}

export const SimTimerEntity = defineEntity({
  class: SimTimer,
  tableName: 'sim_timer',
  properties: {
    orderId: p.uuid().primary(),
    step: p.integer().primary(),
    merchantId: p.uuid(),
    firesAt: p.datetime(),
    state: p.text().$type<SimTimer['state']>(),
  },
})
