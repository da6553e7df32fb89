import { randomBytes } from 'node:crypto'
import { kafkaDriver } from '../../../libs/kafka/src/driver.ts'
import type { Rotation } from '../rotation.ts'

const OLD = 'order'
const FRESH = 'order-2'

/** A second user of order with the same rights, then the first is removed with all that it might do. */
export const kafkaUser: Rotation = {
  name: 'kafka-user',
  async rotate({ kafka, roll, told }) {
    const old = told('order', 'KAFKA_BROKERS')
    const password = randomBytes(24).toString('base64url')
    await kafka.addUser(FRESH, password)
    await kafka.allowService('order', FRESH)
    const fresh = kafka.as(FRESH, password).join()
    if (!(await admits(fresh))) throw new Error('the new user does not log in')
    await roll(['order'], { KAFKA_BROKERS: fresh })
    await kafka.removeUser(OLD)
    if (await admits(old)) throw new Error('the old user still logs in')
    // With what is left alone.
    await roll(['order'], {})
  },
}

async function admits(brokers: string): Promise<boolean> {
  try {
    const admin = await kafkaDriver({ brokers: brokers.split(','), clientId: 'rehearsal' }).admin()
    await admin.close()
    return true
  } catch (error) {
    if (!/SASL|authentication/i.test((error as Error).message)) throw error
    return false
  }
}
